import type { Gift } from './gift-forms.ts';

/**
 * What every letter says, by kind: the shop writes the content in the transaction of the event, the letters' templates
 * turn it into words. Money is integer cents of USD; moments are ISO 8601 with a zone, days are `2026-11-30`; every
 * `…Url` is absolute, from BASE_URL, never from a request. Text that people typed goes in as typed.
 */

/** Who writes, on every letter. */
export interface LetterShop {
  name: string;
  baseUrl: string;
  supportEmail: string;
  /** One line for the footer, where the owner has given one. */
  postalAddress?: string | undefined;
}
export interface LetterLine {
  label: string;
  quantity: number;
  /** For the whole line, not for one. */
  amountCents: number;
}
export interface LetterAddress {
  name: string;
  line1: string;
  line2?: string | undefined;
  city: string;
  state: string;
  postalCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}
/** Days, both included. */
export interface LetterDelivery {
  from: string;
  to: string;
}

/** Of which frame's videos, or of which one, the letter shows posters as they are when it goes out. */
export interface LetterPosters {
  frameId: string;
  videoId?: string | undefined;
}

interface CustomerLetters {
  receipt: {
    customerFirstName: string;
    orderNumber: string;
    orderedAt: string;
    lines: LetterLine[];
    subtotalCents: number;
    /** Zero or more; shown as a deduction when there is one. */
    discountCents: number;
    /** The code or the promotion's name. */
    discountLabel?: string | undefined;
    taxCents: number;
    /** Who imposes it, and its rate. */
    taxLabel?: string | undefined;
    totalCents: number;
    /** Where a frame is sent; absent for a service order. */
    shippingAddress?: LetterAddress | undefined;
    /** Present while the buyer has no account with a password: it is then the button. */
    finishRegistrationUrl?: string | undefined;
    /** There is an account under this e-mail, whose mailbox nobody has confirmed: its confirmation is mailed too. */
    isAccountUnconfirmed?: boolean | undefined;
    orderUrl: string;
    uploadUrl: string;
    gift?: Gift | undefined;
    /** If the photos are finished by a day; today where there is none. */
    estimatedDelivery?: (LetterDelivery & { finishBy?: string | null | undefined }) | undefined;
  };
  'addon-receipt': {
    customerFirstName: string;
    /** The number of the add-on's own order, or of the order it adds to. */
    orderNumber: string;
    orderedAt: string;
    /** The frames the new room is in. */
    frameNames: string[];
    packages: number;
    photosAdded: number;
    subtotalCents: number;
    discountCents?: number | undefined;
    discountLabel?: string | undefined;
    taxCents: number;
    taxLabel?: string | undefined;
    totalCents: number;
    uploadUrl: string;
    orderUrl?: string | undefined;
  };
  'photo-reminder': {
    firstName: string;
    /** Frames that are not finalized, at least one. */
    frameNames: string[];
    /** 1, 3 or 7; the one of 7 days says that it is the last. */
    daysOpen: number;
    uploadUrl: string;
    /** Ends the ones that would follow; the last has none. */
    unsubscribeUrl?: string | undefined;
  };
  finalized: {
    firstName: string;
    frameName: string;
    photoCount: number;
    orderNumber: string;
    orderUrl?: string | undefined;
  };
  'proof-ready': {
    firstName: string;
    frameName: string;
    /** Those that wait for a look. */
    videoCount: number;
    redosPossible: boolean;
    /** Whoever says nothing until then keeps them. */
    endsAt: string;
    proofUrl: string;
    posters?: LetterPosters | undefined;
  };
  'video-again': {
    firstName: string;
    frameName: string;
    /** What people wrote about it, or its number. */
    title: string;
    deliveryUrl: string;
    /** When the delivery page closes. */
    expiresAt: string;
    posters?: LetterPosters | undefined;
  };
  'videos-ready': {
    firstName: string;
    frameName: string;
    videoCount: number;
    deliveryUrl: string;
    /** When the delivery page closes. */
    expiresAt: string;
    posters?: LetterPosters | undefined;
  };
  'review-request': {
    firstName: string;
    /** What was bought, as the shop calls it. */
    productName: string;
    /** Videos alone, for a frame bought elsewhere. */
    isService?: boolean | undefined;
    orderNumber: string;
    /** Whom it was given to. */
    recipientName?: string | undefined;
    reviewUrl: string;
    /** Ends reminders and questions like this one. */
    unsubscribeUrl: string;
  };
  shipped: {
    firstName: string;
    orderNumber: string;
    /** Frames in the parcel. */
    frameCount?: number | undefined;
    shippingAddress?: LetterAddress | undefined;
    tracking?: { carrier: string; number: string; url?: string | undefined } | undefined;
    gift?: Gift | undefined;
    estimatedDelivery?: LetterDelivery | undefined;
    orderUrl: string;
  };
  refund: {
    firstName?: string | undefined;
    amountCents: number;
    orderNumber: string;
    reason?: string | undefined;
    /** Unused photo slots that went back with the money. */
    photosWithdrawn?: number | undefined;
    orderUrl?: string | undefined;
  };
  'ticket-received': {
    name: string;
    ticketNumber: string;
    /** Shown only when it could not be an advertisement: anyone can have this letter sent to anyone. */
    subject: string;
  };
  'ticket-answered': {
    name: string;
    ticketNumber: string;
    subject: string;
    /** The shop's words, with their line breaks. */
    answer: string;
    supportUrl?: string | undefined;
  };
  'password-reset': {
    firstName?: string | undefined;
    /** Works once, for `lifetimes.passwordResetHours`. */
    resetUrl: string;
  };
  'email-confirmation': {
    firstName?: string | undefined;
    /** Of the order that is in the account already. */
    orderNumber?: string | undefined;
    /** Works for `lifetimes.emailConfirmationDays`. */
    confirmUrl: string;
  };
  'sign-in-link': {
    firstName?: string | undefined;
    /** Works once, for `lifetimes.signInLinkMinutes`. */
    signInUrl: string;
  };
  'email-change': {
    firstName?: string | undefined;
    /** Works once, for `lifetimes.emailChangeHours`. */
    confirmUrl: string;
  };
  /** To the old address. */
  'email-changed': {
    firstName?: string | undefined;
    changedAt: string;
    supportUrl: string;
  };
  'account-news': {
    firstName?: string | undefined;
    what: 'password-changed' | 'passkey-added';
    /** The new passkey's. */
    passkeyName?: string | undefined;
    happenedAt: string;
    accountUrl: string;
  };
  'credits-given': {
    firstName: string;
    /** How many more they have now, and how many in all. */
    given: number;
    credits: number;
    uploadUrl: string;
  };
  'photos-erased-soon': {
    firstName: string;
    frameName: string;
    orderNumber: string;
    /** The moment after which they go. */
    endsAt: string;
    /** How many are left, the last begun; one of 3 says that it is the last. */
    daysBefore: number;
    deliveryUrl: string;
    /** Where an account's holder keeps them; a guest has none. */
    keepUrl?: string | undefined;
    posters?: LetterPosters | undefined;
  };
  'photos-erased': {
    firstName: string;
    reason: 'asked' | 'time-over' | 'account-deleted';
    frames: { frameName: string; orderNumber: string; photos: number; videos: number }[];
    erasedAt: string;
  };
  'upload-link': {
    firstName?: string | undefined;
    uploadUrl: string;
    expiresAt: string;
  };
  'collect-link': {
    customerFirstName: string;
    /** What the photos are for, in the customer's words; shown only when it could not be an advertisement. */
    collectionName: string;
    collectUrl: string;
    expiresAt: string;
  };
}

/** What money was paid for; where it made no order, the provider's id of the payment, to look it up there. */
type PaidFor =
  | { orderNumber: string; paymentIntentId?: undefined; customerEmail: string }
  | { orderNumber?: undefined; paymentIntentId: string; customerEmail?: string | undefined };

interface OwnerLetters {
  'owner-sale': {
    orderNumber: string;
    orderedAt: string;
    customerName: string;
    customerEmail: string;
    lines: LetterLine[];
    subtotalCents: number;
    discountCents: number;
    discountLabel?: string | undefined;
    taxCents: number;
    taxLabel?: string | undefined;
    totalCents: number;
    shippingAddress?: LetterAddress | undefined;
    gift?: Gift | undefined;
    adminUrl: string;
  };
  'owner-ticket': {
    origin: 'support' | 'contact';
    ticketNumber: string;
    customerName: string;
    customerEmail: string;
    phone?: string | undefined;
    subject: string;
    message: string;
    adminUrl: string;
  };
  'owner-failed-job': {
    /** What was being done, as a noun: `the video of photo 12 of Kinframe 1`. */
    job: string;
    failedAt: string;
    /** What went wrong, for a reader who can act on it. */
    error: string;
    /** What the shop does about it by itself, as a sentence. */
    consequence?: string | undefined;
    orderNumber?: string | undefined;
    adminUrl: string;
  };
  'owner-dispute': PaidFor & {
    amountCents: number;
    /** The card network's reason, as the provider names it. */
    reason?: string | undefined;
    /** A moment. */
    respondBy?: string | undefined;
    adminUrl: string;
  };
  'owner-fraud-warning': PaidFor & {
    amountCents: number;
    /** What kind of fraud the card's issuer suspects, as the provider names it. */
    reason?: string | undefined;
    adminUrl: string;
  };
  'owner-refund-failed': PaidFor & {
    amountCents: number;
    /** Why, as the provider names it. */
    reason?: string | undefined;
    /** Photo places that were withdrawn with it and are back. */
    photosReturned?: number | undefined;
    adminUrl: string;
  };
  'owner-payment-mismatch': {
    /** The provider's id of the payment, to look it up there. */
    paymentIntentId: string;
    customerEmail?: string | undefined;
    expectedCents: number;
    receivedCents: number;
    /** ISO 4217, when it is not the one asked for. */
    receivedCurrency?: string | undefined;
    adminUrl: string;
  };
  'owner-sweep-stopped': {
    /** Stored files, and those of them that nothing names. */
    files: number;
    orphans: number;
    stoppedAt: string;
    adminUrl: string;
  };
  'owner-second-step': {
    what: 'on' | 'off' | 'new-recovery-codes';
    happenedAt: string;
    /** The browser it was done with. */
    device: string;
    adminUrl: string;
  };
  /** What needs the owner, each morning she wants to read it. */
  'owner-day-sheet': {
    /** A moment of the day it is about. */
    writtenAt: string;
    /** The most pressing first; none where nothing waits. */
    lines: { words: string; detail?: string | undefined; url?: string | undefined }[];
    /** How old it is, where that is no line of its own. */
    lastBackup?: string | undefined;
    adminUrl: string;
  };
  'owner-second-payment-refunded': {
    /** The order that the first payment made. */
    orderNumber: string;
    customerEmail: string;
    amountCents: number;
    adminUrl: string;
  };
}

type LettersByKind = CustomerLetters & OwnerLetters;
export type LetterKind = keyof LettersByKind;
/** One kind of letter: `LetterOf<'receipt'>`. */
export type LetterOf<K extends LetterKind> = { kind: K; shop: LetterShop } & LettersByKind[K];
export type LetterContent = { [K in LetterKind]: LetterOf<K> }[LetterKind];
