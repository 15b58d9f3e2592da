import { deliveryDays } from './catalog.ts';

/** Numbers that the browser and the server share. Sizes in bytes, times in seconds unless the name says otherwise. */
export const limits = {
  photoBytes: 10 * 1024 * 1024,
  photoMegabytes: 10,
  /** An upper bound for one frame's photos, higher than all packages together can give. */
  mostPhotosOfFrame: 2000,
  /** The highest numbers that the owner may set for one user. */
  mostBasePhotos: 100_000,
  mostExtraPackages: 10_000,
  mostReuploadCredits: 1000,
  /** Maximum size of a piece of a resumable photo upload. On a 50 kB/s connection, sending it takes ten seconds. */
  pieceBytes: 512 * 1024,
  piecesPerPhoto: 1000,
  /** How many photo uploads of one sender to one frame may be incomplete at the same time. */
  arrivalsPerFrame: 250,
  arrivalHours: 24,
  /** The size of a video that the owner uploads in place of a rendered one. */
  filmBytes: 200 * 1024 * 1024,
  /** The size of a video on a page. Visitors wait for the video when they open the page. */
  pageFilmBytes: 30 * 1024 * 1024,
  photoPixels: 60_000_000,
  photoSidePixels: 20_000,
  /** Minimum length of a photo's shorter side. No one is recognizable in a smaller photo. */
  photoLeastPixels: 40,
  /** The shortest sides of a crop, as fractions of the photo's sides. */
  cropLeastPart: 0.1,
  /** A photo is reduced to this length of its longer side before it is cropped. */
  cropSourcePixels: 5120,
  /** Memory for a decoded photo: all its pixels with four channels of one byte. */
  photoDecodedBytes: 240_000_000,
  photoDecodeSeconds: 10,
  /** How many photos that take too long to decode one customer may send in ten minutes. Further photos must wait. */
  slowPhotos: 3,
  slowPhotosSeconds: 600,
  filesPerRequest: 30,
  invitationCodeCharacters: 200,
  captionCharacters: 80,
  wishCharacters: 500,
  /** How many share links of one delivery may be open at the same time. */
  sharesPerFrame: 20,
  /** The number of posters in one email, and their maximum total size. */
  emailPosters: 3,
  emailPostersBytes: 450_000,
  /** How many free videos one IP address, or one IPv6 /64, may have made in 24 hours. */
  trialsPerNetwork: 2,
  /** How many free videos may be queued or rendering. */
  trialsInLine: 40,
  /** How often one trial's link may be mailed, and how often one mailbox may get such a link within an hour. */
  trialMails: 3,
  recipientNameCharacters: 100,
  giftFromCharacters: 60,
  /** How many characters fit on the gift card in the package. */
  giftMessageCharacters: 300,
  /** The latest shipping day of a gift, in days from today. */
  giftShipDays: 90,
  mostStars: 5,
  /** The length of a review, and of the shop's answer to it. */
  reviewCharacters: 2000,
  reviewNameCharacters: 60,
  reviewReasonCharacters: 500,
  /** The length of a customer's text about a return, and of the owner's answer. */
  returnCharacters: 2000,
  /** The length of the owner's note on an order by phone. */
  phoneOrderNoteCharacters: 1000,
  /** How many payment links of orders by phone may be open at the same time. */
  openPhoneOrders: 200,
  mostFramesOfReturn: 100,
  /** How many returns of one order a customer may ask for, including withdrawn ones. */
  returnsPerOrder: 20,
  /** The size of a shipping label that the owner uploads. */
  labelBytes: 5 * 1024 * 1024,
  labelMegabytes: 5,
  /** How many orders one download of addresses for labels may have. */
  labelAddresses: 100,
  /** The size of an email that the shop reads, with its attachments. */
  inboundMailBytes: 15 * 1024 * 1024,
  inboundMailMegabytes: 15,
  /** The length of the text of an email that is kept, and of the quoted text below it. */
  inboundMailCharacters: 20_000,
  inboundMailFiles: 10,
  savedReplies: 100,
  /** The maximum number of files in one answer of the owner. The next limit is the size of each file. */
  answerFiles: 3,
  answerFileBytes: 5 * 1024 * 1024,
  answerFileMegabytes: 5,
  inboundFileNameCharacters: 100,
  /** How many emails of one sender are read within an hour, and how many tickets emails may open within an hour. */
  inboundMailsOfSender: 20,
  inboundTickets: 200,
  /** How many automatic answers to new emails one address may get within 24 hours, and all addresses within an hour. */
  inboundReceipts: 3,
  inboundReceiptsOfHour: 60,
  /** Reviews that a product page shows at first. The visitor can load more. */
  reviewsOfPage: 6,
  firstNameCharacters: 40,
  collectNameCharacters: 60,
  /** How many contributors may add photos through one collect link. */
  contributorsPerLink: 200,
  /**
   * How many contributor names without a photo one IP address may enter at a collect link. A name without a photo is
   * deleted after a day.
   */
  namesPerAddress: 20,
  /** How many addresses may open one collect link. If there are more, the addresses that expire first stop working. */
  addressesPerCollectLink: 50,
  /** Invitation emails per hour for one collect link. */
  collectInvitations: 20,
  jsonBytes: 1024 * 1024,
  mostFramesInStock: 100_000,
  maxAddonPackages: 10,
  passkeysPerCustomer: 20,
  recoveryCodes: 10,
  passwordMinimum: 6,
  registrationPasswordMinimum: 8,
  passwordMaximum: 128,
} as const;

/**
 * How many requests one IP address may send in a time window. Uploads and their pieces are counted by sender instead
 * (docs/decisions/0053-limits.md).
 */
export const rateLimits = {
  'sign-in': { max: 10, seconds: 900 },
  register: { max: 5, seconds: 3600 },
  'forgot-password': { max: 5, seconds: 3600 },
  'resend-confirmation': { max: 5, seconds: 3600 },
  'reset-password': { max: 10, seconds: 3600 },
  /** Operations that require the password again. */
  'prove-again': { max: 20, seconds: 900 },
  'sign-in-link': { max: 5, seconds: 3600 },
  passkey: { max: 60, seconds: 900 },
  'data-download': { max: 10, seconds: 3600 },
  'admin-password': { max: 5, seconds: 900 },
  /** Counts only wrong keys. */
  'admin-key': { max: 10, seconds: 900 },
  /** Wrong codes also have a stricter limit for all IP addresses together: see maxAttemptsPerAccount. */
  'admin-code': { max: 20, seconds: 900 },
  'admin-passkey': { max: 20, seconds: 900 },
  'token-validation': { max: 20, seconds: 60 },
  /** Many family members share one IP address when they are at the same party. */
  collect: { max: 120, seconds: 60 },
  /** Requests with the token of a private link: a delivery, a proof, a player, a review or an upload link. */
  delivery: { max: 60, seconds: 60 },
  'payment-intent': { max: 20, seconds: 600 },
  'promo-code': { max: 30, seconds: 600 },
  /** A wallet's button asks when it is shown, and once for each address that the buyer chooses in the wallet. */
  'cart-price': { max: 60, seconds: 600 },
  /** Counted before the code is looked up, like passwords. */
  'gift-card': { max: 10, seconds: 600 },
  /** A browser asks once for each ZIP code that a person types. */
  'postal-code': { max: 60, seconds: 60 },
  'verify-payment': { max: 60, seconds: 600 },
  support: { max: 5, seconds: 3600 },
  return: { max: 10, seconds: 3600 },
  'frames-back': { max: 5, seconds: 3600 },
  'resend-mail': { max: 30, seconds: 600 },
  'page-view': { max: 60, seconds: 60 },
  page: { max: 300, seconds: 60 },
  /** A page that violates the Content-Security-Policy may send one report for each blocked resource. */
  'csp-report': { max: 60, seconds: 60 },
  /** Includes refused photos. `limits.trialsPerNetwork` limits the videos. */
  trial: { max: 20, seconds: 3600 },
  'trial-mail': { max: 10, seconds: 3600 },
  upload: { max: 120, seconds: 60 },
  /** Allows twenty megabytes per second. */
  piece: { max: 2400, seconds: 60 },
  /** Counts only requests with an invalid signature. The provider's own requests are never limited. */
  'forged-webhook': { max: 30, seconds: 60 },
  other: { max: 300, seconds: 60 },
} as const satisfies Record<string, { max: number; seconds: number }>;

/**
 * How many requests of one IP address need no proof of work. A request over this limit needs one
 * (docs/decisions/0104-proof-of-work.md). The limits of `rateLimits` apply as well.
 */
export const proofOfWorkLimits = {
  register: { max: 3, seconds: 3600 },
  'payment-intent': { max: 10, seconds: 3600 },
  'promo-code': { max: 15, seconds: 3600 },
  trial: { max: 4, seconds: 3600 },
} as const satisfies Partial<Record<keyof typeof rateLimits, { max: number; seconds: number }>>;

/**
 * How many wrong passwords and codes are checked per account, for all IP addresses together
 * (docs/decisions/0097-tries.md).
 */
export const maxAttemptsPerAccount = {
  /**
   * For all browsers together that have not signed in to the account before. Each other browser has a separate counter
   * with the same limit.
   */
  password: { max: 10, seconds: 900, aDay: 100 },
  /** Per session, for operations that require the password again. */
  proof: { max: 10, seconds: 900, aDay: 100 },
  /** For codes from the owner's phone. After `inRow` wrong codes in a row, only a new sign-in by password continues. */
  code: { max: 20, seconds: 86_400, aDay: 20, inRow: 5 },
  /** For one IP address. Recovery codes cannot be guessed, and they must work when the phone's codes are used up. */
  recoveryCode: { max: 5, seconds: 900, aDay: 100 },
  /** For the codes that confirm a new second factor, per secret. */
  firstCode: { max: 5, seconds: 86_400, aDay: 5 },
} as const;

/** Videos are promised within this time after finalizing. */
export const deliveryHours = { from: 24, to: 72 } as const;

export const lifetimes = {
  customerSessionIdleDays: 7,
  customerSessionDays: 30,
  /** A browser counts as known for this long after its last sign-in. */
  knownBrowserDays: 365,
  adminSessionIdleMinutes: 30,
  adminSessionHours: 12,
  /** An invitation to work in the panel. */
  staffInvitationDays: 7,
  /** Time allowed between the password and the code. */
  adminCodeMinutes: 5,
  /** Time allowed from our sign-in page to the owner's provider and back. */
  ownerSignInMinutes: 10,
  passwordResetHours: 1,
  uploadLinkDays: 7,
  /** How many days after today a collect link may end. */
  collectLinkDays: 60,
  /** For this long after its end, a collect link's page still says that the link has ended. */
  collectEndedDays: 30,
  /** After this time, the contributors' names are deleted. */
  contributorNameDays: 90,
  /** A contributor's name without a photo is deleted after this time. */
  idleNameHours: 24,
  orderAccessDays: 30,
  finishRegistrationDays: 30,
  emailConfirmationDays: 7,
  deliveryDays,
  /** How long customers can review their videos. Without an answer, all videos count as accepted. */
  proofDays: 3,
  proofLinkDays: 30,
  /**
   * The buyer is asked for a review this many days after everything was delivered. `reviewGivenUpDays` after the videos
   * were ready, the buyer is not asked anymore.
   */
  reviewAskedDays: 14,
  /** An address that waits for frames is deleted after this time, even if none came. */
  stockWaiterMonths: 6,
  reviewGivenUpDays: 120,
  /** After this time, the buyer's data is removed from the order. */
  orderYears: 7,
  /** A review can be withdrawn for as long as the order's records are kept. */
  reviewLinkDays: 7 * 365,
  /** A frame can be returned for this many days after its delivery. */
  returnDays: 30,
  /** After this time without a change, the photo and the label of an answered return are deleted. */
  returnFilesDays: 90,
  /** The PDF of a shipping label, which has the recipient's address, is deleted after this time. */
  labelFilesDays: 90,
  mailContentMonths: 13,
  pageViewMonths: 13,
  supportRequestMonths: 24,
  /** For this long, the shop knows that it has read an email, and ignores a second copy. */
  inboundMailDays: 180,
  /** A file that the owner added to an answer is deleted after this time if the answer was not sent. */
  unsentFileDays: 1,
  abandonedCartDays: 30,
  /** A cart with details is reminded of this long after the buyer left it without paying, and again after two days. */
  cartReminderHours: { first: 2, second: 48 },
  /** An email address gets the reminders of one cart in this time, and none if it has bought in this time. */
  cartReminderQuietDays: 14,
  cartLinkDays: 7,
  /** How long the payment link of an order by phone works, unless it is paid or canceled before. */
  phoneOrderDays: 14,
  /** An order by phone is deleted this long after its link has ended. */
  phoneOrderKeptDays: 30,
  checkoutCookieHours: 24,
  /**
   * For this long, a browser reserves a use of a promo code, from the payment intent until paying. Other buyers cannot
   * take the reserved use.
   */
  promotionHoldMinutes: 10,
  /** The buyer gets an email this long after the release of a card authorization, unless the buyer has returned. */
  releasedPaymentMailMinutes: 15,
  /** After this time, a free video is erased with its photo. */
  trialHours: 24,
  trashDays: 7,
  /** Photos and videos that a customer wants to keep are kept as long as the order's records. */
  keptYears: 7,
  /** The customer is warned this many days before photos and videos are erased. */
  erasureWarningDays: [14, 3],
  signInLinkMinutes: 15,
  /** The link that ends a sign-in works as long as the longest session lasts. */
  endSignInDays: 30,
  emailChangeHours: 24,
  passkeyChallengeMinutes: 5,
  proofOfWorkMinutes: 10,
  /** For this long after signing in, the password is not asked for again. */
  freshSignInMinutes: 10,
  unsubscribeDays: 365,
} as const;
