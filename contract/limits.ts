/** Numbers both sides rely on. Sizes in bytes, times in seconds unless the name says otherwise. */
export const limits = {
  photoBytes: 10 * 1024 * 1024,
  photoMegabytes: 10,
  /** The most that all packages together can give one frame, and more. */
  mostPhotosOfFrame: 2000,
  /** What the owner may give one user. */
  mostBasePhotos: 100_000,
  mostExtraPackages: 10_000,
  mostReuploadCredits: 1000,
  /** A photo that comes in pieces: ten seconds on a line of 50 kB/s. */
  pieceBytes: 512 * 1024,
  piecesPerPhoto: 1000,
  /** Photos of one frame that may be half sent at once. */
  arrivalsPerFrame: 250,
  arrivalHours: 24,
  /** A film made by hand. */
  filmBytes: 200 * 1024 * 1024,
  /** A film that plays on a page: whoever opens the page waits for it. */
  pageFilmBytes: 30 * 1024 * 1024,
  photoPixels: 60_000_000,
  photoSidePixels: 20_000,
  /** Of a photo’s shorter side: with fewer nobody is to be recognised on it. */
  photoLeastPixels: 40,
  /** What a photo may unfold to: all its pixels in four channels of a byte. */
  photoDecodedBytes: 240_000_000,
  photoDecodeSeconds: 10,
  /** Photos of one customer that take too long, in ten minutes, before the next ones have to wait. */
  slowPhotos: 3,
  slowPhotosSeconds: 600,
  filesPerRequest: 30,
  invitationCodeCharacters: 200,
  captionCharacters: 80,
  wishCharacters: 500,
  /** Links to one delivery that are open at once. */
  sharesPerFrame: 20,
  /** Posters of a customer's videos in one letter, and what they may weigh together. */
  letterPosters: 3,
  letterPostersBytes: 450_000,
  recipientNameCharacters: 100,
  giftFromCharacters: 60,
  /** What a card in the parcel has room for. */
  giftMessageCharacters: 300,
  /** So many days from today a gift may be kept back. */
  giftShipDays: 90,
  mostStars: 5,
  /** Of a review, and of the shop's answer to it. */
  reviewCharacters: 2000,
  reviewNameCharacters: 60,
  reviewReasonCharacters: 500,
  /** Reviews that a product's page shows before it is asked for more. */
  reviewsOfPage: 6,
  firstNameCharacters: 40,
  collectNameCharacters: 60,
  /** People who have said their name at one collect link. */
  contributorsPerLink: 200,
  /** Addresses of one collect link that open it; the earliest end first. */
  addressesPerCollectLink: 50,
  /** Letters an hour that one collect link is sent with. */
  collectInvitations: 20,
  jsonBytes: 1024 * 1024,
  maxFrames: 20,
  maxExtras: 50,
  maxAddonPackages: 10,
  passkeysPerCustomer: 20,
  recoveryCodes: 10,
  passwordMinimum: 6,
  registrationPasswordMinimum: 8,
  passwordMaximum: 128,
} as const;

/** Calls allowed from one address in a window (security decision 11). */
export const rateLimits = {
  'sign-in': { max: 10, seconds: 900 },
  register: { max: 5, seconds: 3600 },
  'forgot-password': { max: 5, seconds: 3600 },
  'resend-confirmation': { max: 5, seconds: 3600 },
  'reset-password': { max: 10, seconds: 3600 },
  /** Acts that ask for the password again. */
  'prove-again': { max: 20, seconds: 900 },
  'sign-in-link': { max: 5, seconds: 3600 },
  passkey: { max: 60, seconds: 900 },
  'data-download': { max: 10, seconds: 3600 },
  'admin-password': { max: 5, seconds: 900 },
  /** Counted for wrong ones only. */
  'admin-key': { max: 10, seconds: 900 },
  'admin-code': { max: 5, seconds: 900 },
  'token-validation': { max: 20, seconds: 60 },
  /** Many of a family stand behind one address when everybody is at the party. */
  collect: { max: 120, seconds: 60 },
  /** What a delivery page, a proof and a player ask with their link. */
  delivery: { max: 60, seconds: 60 },
  'payment-intent': { max: 20, seconds: 600 },
  'promo-code': { max: 30, seconds: 600 },
  'verify-payment': { max: 60, seconds: 600 },
  support: { max: 5, seconds: 3600 },
  'resend-mail': { max: 30, seconds: 600 },
  'page-view': { max: 60, seconds: 60 },
  page: { max: 300, seconds: 60 },
  upload: { max: 120, seconds: 60 },
  /** Twenty megabytes a second. */
  piece: { max: 2400, seconds: 60 },
  /** Counted for bad signatures only: the provider itself is never told to wait. */
  'forged-webhook': { max: 30, seconds: 60 },
  other: { max: 300, seconds: 60 },
} as const satisfies Record<string, { max: number; seconds: number }>;

/** How long promises last. */
/** Videos are promised so long after finalizing. */
export const promisedHours = { from: 24, to: 72 } as const;

export const lifetimes = {
  customerSessionIdleDays: 7,
  customerSessionDays: 30,
  adminSessionIdleMinutes: 30,
  adminSessionHours: 12,
  /** From the password to the code. */
  adminCodeMinutes: 5,
  /** From our sign-in page to the owner's provider and back. */
  ownerSignInMinutes: 10,
  passwordResetHours: 1,
  uploadLinkDays: 7,
  /** The last day of a collect link, counted from today. */
  collectLinkDays: 60,
  /** So long after its end a collect link still says that it has ended. */
  collectEndedDays: 30,
  /** Then the names of those who used it are forgotten. */
  contributorNameDays: 90,
  orderAccessDays: 30,
  finishRegistrationDays: 30,
  emailConfirmationDays: 7,
  deliveryDays: 90,
  /** How long customers are asked to look at their videos; who says nothing keeps them. */
  proofDays: 3,
  proofLinkDays: 30,
  /** After everything has been delivered its buyer is asked for a review; not any more so long after the videos. */
  reviewAskedDays: 14,
  reviewGivenUpDays: 120,
  /** Then an order no longer says who bought it. */
  orderYears: 7,
  /** As long as a review may be taken back: as the order's own papers. */
  reviewLinkDays: 7 * 365,
  mailContentMonths: 13,
  supportRequestMonths: 24,
  abandonedCartDays: 30,
  checkoutCookieHours: 24,
  trashDays: 7,
  /** What a customer wants kept is kept as long as the order's own papers. */
  keptYears: 7,
  /** Days before photos and videos are erased on which their customer hears of it, the first first. */
  erasureWarningDays: [14, 3],
  signInLinkMinutes: 15,
  emailChangeHours: 24,
  passkeyChallengeMinutes: 5,
  /** So soon after signing in nobody is asked for the password again. */
  freshSignInMinutes: 10,
  unsubscribeDays: 365,
} as const;
