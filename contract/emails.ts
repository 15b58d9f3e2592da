import type { Gift } from './gift-forms.ts';
import type { Role } from './owner/areas.ts';

/**
 * The content of every email, by kind. The shop writes the content in the transaction of
 * the event, and the email templates turn it into text. Money is integer cents of USD; moments are ISO 8601 with a
 * zone; days are `2026-11-30`; every `…Url` is absolute and is built from BASE_URL, never from a request. User text is
 * passed as typed.
 */

/** The sender, for every email. */
export interface EmailShop {
  name: string;
  baseUrl: string;
  supportEmail: string;
  /** One line for the footer, if the owner has entered one. */
  postalAddress?: string | undefined;
}
export interface EmailLine {
  label: string;
  quantity: number;
  /** The amount for the whole line, not per item. */
  amountCents: number;
}
export interface EmailPostalAddress {
  name: string;
  line1: string;
  line2?: string | undefined;
  city: string;
  state: string;
  postalCode: string;
  /** The country code, ISO 3166-1 alpha-2. */
  country: string;
}
/** The first and the last day of an estimated delivery, both inclusive. */
export interface EmailDeliveryDays {
  from: string;
  to: string;
}

/**
 * The email shows posters of this frame's videos, or only of `videoId`. It shows the posters as they are when it is
 * sent.
 */
export interface EmailPosters {
  frameId: string;
  videoId?: string | undefined;
}

interface CustomerEmails {
  receipt: {
    customerFirstName: string;
    orderNumber: string;
    orderedAt: string;
    lines: EmailLine[];
    subtotalCents: number;
    /** Zero or more. Shown as a deduction if greater than zero. */
    discountCents: number;
    /** The code or the name of the promotion. */
    discountLabel?: string | undefined;
    taxCents: number;
    /** The tax jurisdiction and rate. */
    taxLabel?: string | undefined;
    totalCents: number;
    /** The part of the total that gift cards paid. */
    giftCardCents?: number | undefined;
    /** Where a frame is shipped. Absent for a service order. */
    shippingAddress?: EmailPostalAddress | undefined;
    /** Present until the buyer has an account with a password. While present, it is the main button. */
    finishRegistrationUrl?: string | undefined;
    orderUrl: string;
    /**
     * Absent while a guest still has to finish the registration, because the registration leads on to the upload page.
     */
    uploadUrl?: string | undefined;
    gift?: Gift | undefined;
    /** The estimate if the photos are finished by `finishBy` or, without such a day, if they are finished today. */
    estimatedDelivery?: (EmailDeliveryDays & { finishBy?: string | null | undefined }) | undefined;
  };
  /** Sent for an order that belongs to the recipient's email address but not to an account. */
  'finish-registration': {
    firstName: string;
    orderNumber: string;
    /** Absent once the order has an account. */
    finishRegistrationUrl?: string | undefined;
  };
  'addon-receipt': {
    customerFirstName: string;
    /** The number of the add-on's own order, or of the order it adds to. */
    orderNumber: string;
    orderedAt: string;
    /** The frames that have the new places. */
    frameNames: string[];
    packages: number;
    photosAdded: number;
    subtotalCents: number;
    discountCents?: number | undefined;
    discountLabel?: string | undefined;
    taxCents: number;
    taxLabel?: string | undefined;
    totalCents: number;
    /** The part of the total that gift cards paid. */
    giftCardCents?: number | undefined;
    uploadUrl: string;
    orderUrl?: string | undefined;
  };
  'photo-reminder': {
    firstName: string;
    /** Frames that are not finalized. At least one. */
    frameNames: string[];
    /** 1, 3 or 7. The email after 7 days says that it is the last one. */
    daysOpen: number;
    uploadUrl: string;
    /** Stops the following reminders. The last reminder has no such link. */
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
    /** The videos that wait for review. */
    videoCount: number;
    redosPossible: boolean;
    /** If the customer has not answered by this moment, all videos count as accepted. */
    endsAt: string;
    proofUrl: string;
    posters?: EmailPosters | undefined;
  };
  'video-again': {
    firstName: string;
    frameName: string;
    /** The customer's caption; empty if there is none. */
    title: string;
    deliveryUrl: string;
    /** When the delivery page closes. */
    expiresAt: string;
    posters?: EmailPosters | undefined;
  };
  'videos-ready': {
    firstName: string;
    frameName: string;
    videoCount: number;
    deliveryUrl: string;
    /** When the delivery page closes. */
    expiresAt: string;
    posters?: EmailPosters | undefined;
  };
  'review-request': {
    firstName: string;
    /** The product name as shown in the shop. */
    productName: string;
    /** True if only videos were bought, for a frame from elsewhere. */
    isService?: boolean | undefined;
    orderNumber: string;
    /** The name of the gift's recipient. */
    recipientName?: string | undefined;
    reviewUrl: string;
    /** Stops reminders and review requests. */
    unsubscribeUrl: string;
  };
  shipped: {
    firstName: string;
    orderNumber: string;
    /** The number of frames in the parcel. */
    frameCount?: number | undefined;
    shippingAddress?: EmailPostalAddress | undefined;
    tracking?: { carrier: string; number: string; url?: string | undefined } | undefined;
    gift?: Gift | undefined;
    estimatedDelivery?: EmailDeliveryDays | undefined;
    orderUrl: string;
  };
  /** Sent when the owner changes the shipping address of an order. */
  'address-changed': {
    firstName: string;
    orderNumber: string;
    shippingAddress: EmailPostalAddress;
    orderUrl: string;
  };
  'order-canceled': {
    firstName?: string | undefined;
    orderNumber: string;
    reason: string;
    /** The sum of the refunds, including add-ons for the order's frames. */
    amountCents: number;
    /** The part of it that went back to gift cards. */
    giftCardCents?: number | undefined;
    photos: 'kept' | 'erased' | 'none';
    orderUrl: string;
  };
  refund: {
    firstName?: string | undefined;
    amountCents: number;
    orderNumber: string;
    reason?: string | undefined;
    /** The number of unused photo places that were withdrawn with the refund. */
    photosWithdrawn?: number | undefined;
    /** The part of the amount that went back to gift cards. Absent in older emails: all of it, if `giftCards` is present. */
    giftCardCents?: number | undefined;
    /** The last four characters of these gift cards. Absent if the payment card got the whole amount. */
    giftCards?: string[] | undefined;
    orderUrl?: string | undefined;
  };
  /** Sent when a customer asks for a return, and whenever its state changes. A refund has its own email. */
  'return-news': {
    firstName?: string | undefined;
    orderNumber: string;
    what: 'requested' | 'approved' | 'declined' | 'received' | 'replaced' | 'closed';
    /** The names of the frames. */
    frames: string[];
    /** The owner's text, with its line breaks. */
    answer?: string | undefined;
    /** Whether the order shows a shipping label or a link to one. */
    hasLabel?: boolean | undefined;
    orderUrl: string;
  };
  /** Sent after a card authorization was released, if the buyer has not returned to the checkout. */
  'payment-released': {
    firstName?: string | undefined;
    /** The promo code, if the authorization was released because another buyer took the code's last use. */
    promoCode?: string | undefined;
    /** How many frames are left, if the authorization was released because other buyers bought the frames. */
    framesLeft?: number | undefined;
    /** True if the money on a gift card was spent on another order. */
    isGiftCardLost?: boolean | undefined;
    checkoutUrl: string;
  };
  /** Sent to the recipient of a gift card, on its day. */
  'gift-card': {
    giftCardId: string;
    /** The code, in capital letters and digits. Created when the email is sent, and stored only as a hash. */
    giftCardCode: string;
    isForFrame: boolean;
    amountCents: number;
    recipientName: string;
    senderName: string;
    message?: string | undefined;
    productUrl: string;
    /** The page that shows what is left. */
    balanceUrl: string;
  };
  /** Sent to the buyer of a gift card. It never contains the code. */
  'gift-card-receipt': {
    number: string;
    isForFrame: boolean;
    amountCents: number;
    recipientName: string;
    senderName: string;
    boughtAt: string;
    /** The day of the email to the recipient. Absent if the buyer prints the card. */
    deliverOn?: string | undefined;
    /** The purchase, where the buyer can print the card. */
    cardUrl: string;
  };
  /** Sent once to a visitor who asked for it while frames were sold out. */
  'frames-back': { productUrl: string };
  /** Sent two hours and two days after a buyer left the checkout at the payment. */
  'cart-reminder': {
    firstName?: string | undefined;
    /** True for the second email. */
    isLast: boolean;
    lines: EmailLine[];
    subtotalCents: number;
    discountCents: number;
    discountLabel?: string | undefined;
    /** Absent if price or discount have changed since the tax was calculated. */
    taxCents?: number | undefined;
    taxLabel?: string | undefined;
    /** The total without tax if `taxCents` is absent. */
    totalCents: number;
    isShipped: boolean;
    isGift: boolean;
    /** Opens the filled checkout. */
    checkoutUrl: string;
    unsubscribeUrl: string;
    /** When `checkoutUrl` ends. */
    expiresAt: string;
  };
  /** The owner took the order by phone. */
  'payment-link': {
    firstName?: string | undefined;
    lines: EmailLine[];
    subtotalCents: number;
    discountCents: number;
    discountLabel?: string | undefined;
    /** Absent if the shop collects tax and does not know the address yet. */
    taxCents?: number | undefined;
    taxLabel?: string | undefined;
    /** The total without tax if `taxCents` is absent. */
    totalCents: number;
    isShipped: boolean;
    /** Opens the filled checkout. */
    payUrl: string;
    /** When `payUrl` ends. */
    expiresAt: string;
  };
  'ticket-received': {
    name: string;
    ticketNumber: string;
    /** Included only if it cannot be an advertisement, because anyone can have this email sent to any address. */
    subject: string;
    /** Absent in emails of earlier releases. */
    ticketId?: string | undefined;
    /** True if an answer to this email joins the ticket. */
    canReply?: boolean | undefined;
  };
  'ticket-answered': {
    name: string;
    ticketNumber: string;
    subject: string;
    /** The shop's answer, with its line breaks. */
    answer: string;
    /** The stored files that are attached. */
    files?: { key: string; name: string; contentType: string }[] | undefined;
    /** True if the shop writes first. */
    isFirst?: boolean | undefined;
    /** The order that the shop writes about. */
    orderNumber?: string | undefined;
    supportUrl?: string | undefined;
    /** Absent in emails of earlier releases. */
    ticketId?: string | undefined;
    /** True if an answer to this email joins the ticket. */
    canReply?: boolean | undefined;
  };
  'password-reset': {
    firstName?: string | undefined;
    /** Works once, for `lifetimes.passwordResetHours`. */
    resetUrl: string;
  };
  'email-confirmation': {
    firstName?: string | undefined;
    /** The order that is already in the account. */
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
  /** Sent to the old email address. */
  'email-changed': {
    firstName?: string | undefined;
    changedAt: string;
    supportUrl: string;
  };
  'new-sign-in': {
    firstName: string;
    happenedAt: string;
    /** The browser and operating system, as a text. */
    device: string;
    /** The link to a page whose only button signs that browser out. */
    endUrl: string;
  };
  'account-news': {
    firstName?: string | undefined;
    what: 'password-changed' | 'passkey-added';
    /** The name of the new passkey. */
    passkeyName?: string | undefined;
    happenedAt: string;
    accountUrl: string;
  };
  'credits-given': {
    firstName: string;
    /** The number of new credits, and the customer's total number of credits. */
    given: number;
    credits: number;
    uploadUrl: string;
  };
  'photos-erased-soon': {
    firstName: string;
    frameName: string;
    orderNumber: string;
    /** The moment after which the photos are erased. */
    endsAt: string;
    /** The number of days that are left, rounded up. The email with 3 days says that it is the last one. */
    daysBefore: number;
    deliveryUrl: string;
    /** The page where a customer with an account can keep the photos. A guest has no such page. */
    keepUrl?: string | undefined;
    posters?: EmailPosters | undefined;
  };
  'photos-erased': {
    firstName: string;
    reason: 'asked' | 'time-over' | 'account-deleted' | 'order-canceled';
    frames: { frameName: string; orderNumber: string; photos: number; videos: number }[];
    erasedAt: string;
  };
  'upload-link': {
    firstName?: string | undefined;
    uploadUrl: string;
    expiresAt: string;
  };
  /** Sent to a person whom the owner invites to work in the panel. */
  'staff-invitation': {
    name: string;
    role: Role;
    inviteUrl: string;
    expiresAt: string;
  };
  /** Sent to the address that a visitor typed to get the link to their own free video. */
  'trial-film': {
    watchUrl: string;
    /** When the video is erased. */
    endsAt: string;
  };
  'collect-link': {
    customerFirstName: string;
    /** What the photos are for, in the customer's words. Included only if it cannot be an advertisement. */
    collectionName: string;
    collectUrl: string;
    expiresAt: string;
  };
}

/** What a payment was for: its order or, if it made no order, its id at the payment provider. */
type PaymentSubject =
  | { orderNumber: string; paymentIntentId?: undefined; customerEmail: string }
  | { orderNumber?: undefined; paymentIntentId: string; customerEmail?: string | undefined };

interface OwnerEmails {
  'owner-sale': {
    orderNumber: string;
    orderedAt: string;
    customerName: string;
    customerEmail: string;
    lines: EmailLine[];
    subtotalCents: number;
    discountCents: number;
    discountLabel?: string | undefined;
    taxCents: number;
    taxLabel?: string | undefined;
    totalCents: number;
    /** The part of the total that gift cards paid. */
    giftCardCents?: number | undefined;
    shippingAddress?: EmailPostalAddress | undefined;
    gift?: Gift | undefined;
    adminUrl: string;
  };
  'owner-gift-card': {
    number: string;
    isForFrame: boolean;
    amountCents: number;
    recipientName: string;
    deliverOn?: string | undefined;
    customerName: string;
    customerEmail: string;
    adminUrl: string;
  };
  'owner-ticket': {
    origin: 'support' | 'contact' | 'mail';
    ticketNumber: string;
    customerName: string;
    customerEmail: string;
    phone?: string | undefined;
    /** The number of attachments of an email. */
    files?: number | undefined;
    subject: string;
    message: string;
    adminUrl: string;
  };
  'owner-return': {
    orderNumber: string;
    customerName: string;
    customerEmail: string;
    frames: string[];
    /** The chosen reason, as a text. */
    reason: string;
    /** The customer's own text. */
    words?: string | undefined;
    hasPhoto: boolean;
    adminUrl: string;
  };
  'owner-failed-job': {
    /** The failed job as a noun: `the video of photo 12 of Kinframe 1`. */
    job: string;
    failedAt: string;
    /** The error, for a reader who can act on it. */
    error: string;
    /** A sentence that says what the shop does automatically after the failed job. */
    consequence?: string | undefined;
    orderNumber?: string | undefined;
    adminUrl: string;
  };
  'owner-dispute': PaymentSubject & {
    amountCents: number;
    /** The card network's reason, as the provider names it. */
    reason?: string | undefined;
    /** The deadline for the response, as a moment. */
    respondBy?: string | undefined;
    adminUrl: string;
  };
  'owner-fraud-warning': PaymentSubject & {
    amountCents: number;
    /** The kind of fraud that the card's issuer suspects, as the provider names it. */
    reason?: string | undefined;
    adminUrl: string;
  };
  'owner-refund-failed': PaymentSubject & {
    amountCents: number;
    /** The reason for the failure, as the provider names it. */
    reason?: string | undefined;
    /** Photo places that were withdrawn by the refund and are available again. */
    photosReturned?: number | undefined;
    adminUrl: string;
  };
  'owner-payment-mismatch': {
    /** The payment's id at the provider, with which the owner can find it there. */
    paymentIntentId: string;
    customerEmail?: string | undefined;
    expectedCents: number;
    receivedCents: number;
    /** The currency as an ISO 4217 code. Present if it is not the requested currency. */
    receivedCurrency?: string | undefined;
    adminUrl: string;
  };
  'owner-sweep-stopped': {
    /** The number of stored files. */
    files: number;
    orphans: number;
    stoppedAt: string;
    adminUrl: string;
  };
  'owner-second-step': {
    what:
      | 'on'
      | 'off'
      | 'new-recovery-codes'
      | 'passkey-added'
      | 'passkey-removed'
      | 'staff-invited'
      | 'staff-role-changed';
    /** True if the email goes to a member of the staff about their own sign-in. */
    isStaff?: boolean | undefined;
    /** The name of the passkey, or the name and role of the invited person, if any. */
    name?: string | undefined;
    happenedAt: string;
    /** The browser that was used. */
    device: string;
    adminUrl: string;
  };
  'owner-new-sign-in': {
    happenedAt: string;
    device: string;
    /** The link to a page whose only button signs that browser out. */
    endUrl: string;
  };
  /**
   * Sent when too many wrong codes were entered after the right password. Codes are not checked again until the
   * password is entered again or, if all attempts of the day are used up, for a day.
   */
  'owner-codes-locked': {
    /** True if all attempts of the day are used up. False if five codes in a row were wrong. */
    isWholeDay: boolean;
    happenedAt: string;
    /** The browser of the last attempt. */
    device: string;
    adminUrl: string;
  };
  /** What needs the owner's attention. Sent each morning if the owner has turned it on. */
  'owner-day-sheet': {
    /** A moment of the day that the sheet is about. */
    writtenAt: string;
    /** The most urgent first. Empty if nothing waits. */
    lines: { words: string; detail?: string | undefined; url?: string | undefined }[];
    /** The number of new orders, as a text. Absent if there are none. */
    newOrders?: string | undefined;
    /** The time of the last backup, as a text. Absent if a line already reports it. */
    lastBackup?: string | undefined;
    adminUrl: string;
  };
  'owner-second-payment-refunded': {
    /** The order that was created from the first payment. */
    orderNumber: string;
    customerEmail: string;
    amountCents: number;
    adminUrl: string;
  };
}

type EmailsByKind = CustomerEmails & OwnerEmails;
export type EmailKind = keyof EmailsByKind;
/** One kind of email: `EmailOf<'receipt'>`. */
export type EmailOf<K extends EmailKind> = { kind: K; shop: EmailShop } & EmailsByKind[K];
export type EmailContent = { [K in EmailKind]: EmailOf<K> }[EmailKind];
