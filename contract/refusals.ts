import { shipDayWords } from './gifts.ts';
import { limits } from './limits.ts';
import { photosIncluded } from './catalog.ts';

const inMinutes = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

const thousands = (count: number) => new Intl.NumberFormat('en-US').format(count);

/** The name and words of every expected no, with its HTTP status. What the specification words is kept to the letter. */
export const refusals = {
  'invalid-request': { status: 400, words: 'Please check what you entered and try again.' },
  'too-slow': { status: 408, words: 'That took too long to arrive here. Please try again.' },
  'search-too-short': { status: 400, words: 'Please search for at least two letters or digits in a row.' },
  'page-unknown': {
    status: 400,
    words: 'This page belongs to another search, filter or order of the list. Please begin at its first page.',
  },
  'not-found': { status: 404, words: 'We could not find that.' },
  'nothing-to-write': {
    status: 400,
    words: 'There is no title that we could write on the film. Please write one first, in Latin letters.',
  },
  'sign-in-needed': { status: 401, words: 'Please sign in to continue.' },
  'admin-needed': { status: 401, words: 'Please sign in to the admin panel.' },
  'address-not-allowed': { status: 403, words: 'Access is restricted to authorized IP addresses.' },
  'foreign-origin': { status: 403, words: 'This request did not come from our own pages, so it was refused.' },
  'json-needed': { status: 415, words: 'Please send this request as JSON.' },
  'body-too-large': { status: 413, words: 'That is more than we can take in one request.' },
  'too-many-requests': {
    status: 429,
    words: 'That was a lot of tries in a short time. Please wait a little and try again.',
  },
  unavailable: {
    status: 503,
    words: 'We could not reach a part of the shop just now. Nothing is lost; please try again in a minute.',
  },
  'storage-full': {
    status: 507,
    words: 'We have no room for this file right now. Nothing is lost; please try again later.',
  },
  unexpected: { status: 500, words: 'Something went wrong on our side. Nothing is lost; please try again.' },

  'unknown-product': { status: 400, words: 'We do not sell that product.' },
  'bundle-needs-frame': {
    status: 400,
    words: `Photo packages are an add-on to a frame. Buy them together with a frame, or add ${photosIncluded.extraPackage} photos to a frame you own from My Uploads.`,
  },
  'one-service': { status: 400, words: 'The Bring Your Own Frame service is bought one frame at a time.' },
  'details-needed': { status: 400, words: 'Please add your customer details before paying.' },
  'gift-needs-parcel': {
    status: 400,
    words: 'Only a frame can be sent as a gift. What the service makes is delivered to you by e-mail.',
  },
  'gift-day-outside': {
    status: 400,
    words: (facts: { day: string }) => shipDayWords(facts.day),
  },
  'tax-location-needed': {
    status: 400,
    words: 'Please tell us your country and your ZIP or postal code: sales tax depends on them.',
  },
  'tax-location-unknown': {
    status: 400,
    words: 'We could not work out the sales tax for this address. Please check it, the ZIP or postal code above all.',
  },
  'promo-code-unknown': { status: 400, words: 'We do not know this promo code. Please check its spelling.' },
  'promo-code-too-early': {
    status: 409,
    words: (facts: { day: string }) => `This promo code cannot be used yet. It starts on ${facts.day}.`,
  },
  'promo-code-expired': {
    status: 409,
    words: (facts: { day: string }) => `This promo code has expired. Its last day was ${facts.day}.`,
  },
  'promo-code-used-up': { status: 409, words: 'This promo code has been used up: others were a little faster.' },
  'payment-not-found': { status: 404, words: 'We could not find that payment.' },
  'payment-not-finished': { status: 402, words: 'Payment was not completed successfully' },
  'payment-mismatch': {
    status: 409,
    words: 'This payment does not match its order. Please contact support; you will not be charged twice.',
  },
  'payment-provider-unavailable': {
    status: 503,
    words: 'Our payment provider cannot be reached right now. You have not been charged; please try again in a minute.',
  },
  /** After paying nobody can say that the card was not charged. */
  'payment-unconfirmed': {
    status: 503,
    words:
      'Our payment provider cannot be reached right now, so we could not see whether your payment went through. Please do not pay again: if it did, we find it by ourselves and write to you.',
  },
  'nothing-to-refund': { status: 409, words: 'All of this order’s money has been given back already.' },
  'refund-too-large': {
    status: 409,
    words: (facts: { left: string }) => `At most ${facts.left} of this order can still be refunded.`,
  },
  'payment-disputed': {
    status: 409,
    words: 'The customer’s bank has taken this payment back, so it cannot be refunded. Answer the dispute instead.',
  },
  'refund-under-way': {
    status: 409,
    words: 'This payment has gone back already, or is on its way: nothing is left to settle.',
  },
  'refund-unknown': {
    status: 503,
    words:
      'The payment provider cannot be reached right now, so we could not see whether this payment has gone back. Please try again in a minute.',
  },
  'no-payment-problem': { status: 409, words: 'This payment is no problem any more.' },
  'nothing-to-ship': { status: 409, words: 'Nothing is shipped for this order: it is a service.' },

  'wrong-credentials': { status: 401, words: 'Invalid email or password.' },
  'email-taken': { status: 409, words: 'An account with this email already exists. Please sign in instead.' },
  'password-needed': { status: 403, words: 'Please enter your password to go on.' },
  'password-wrong': { status: 403, words: 'That is not your present password. Please try again.' },
  'email-same': { status: 409, words: 'That is your email address already.' },
  'email-change-link-invalid': {
    status: 400,
    words: 'This link is invalid or has expired. You can ask for a new one in your account.',
  },
  'sign-in-link-invalid': {
    status: 400,
    words: 'This sign-in link has been used or has expired. Please ask for a new one.',
  },
  'unsubscribe-link-invalid': {
    status: 400,
    words: 'This link has expired. Write to us, and we end the reminders for you.',
  },
  'passkey-refused': {
    status: 401,
    words: 'This passkey did not work here. Please try again, or sign in another way.',
  },
  'passkey-not-added': { status: 400, words: 'Your passkey could not be added. Please try again.' },
  'too-many-passkeys': {
    status: 409,
    words: `An account has room for ${limits.passkeysPerCustomer} passkeys. Please remove one you no longer use.`,
  },
  'nothing-to-keep': { status: 409, words: 'There are no delivered videos of this frame to keep.' },
  'nothing-to-erase': { status: 409, words: 'There are no photos or videos of yours here any more.' },
  'common-password': {
    status: 400,
    words: 'This password is one of the first a stranger would try. Please choose another one.',
  },
  'reset-link-invalid': {
    status: 400,
    words: 'This password reset link is invalid or has expired. Please request a new one.',
  },
  'confirmation-link-invalid': {
    status: 400,
    words:
      'This confirmation link is invalid or has expired. Resetting your password confirms your email address, too.',
  },
  'registration-done': { status: 409, words: 'Your account is ready. Please sign in.' },
  'registration-expired': { status: 404, words: 'Registration session not found or expired' },
  'wrong-admin-password': { status: 401, words: 'Invalid password' },
  'admin-password-first': {
    status: 403,
    words: 'Your time to enter the code is over. Please begin again with the password.',
  },
  'code-wrong': {
    status: 403,
    words: 'That code is not right, or it was used before. Please enter the one that your app shows now.',
  },
  'second-factor-on': { status: 409, words: 'The second step is on already. Switch it off first to set it up anew.' },
  'second-factor-off': { status: 409, words: 'The second step is off, so there is nothing to change.' },
  'second-factor-not-begun': { status: 409, words: 'Please begin to set up the second step first.' },
  'owner-sign-in-off': { status: 403, words: 'Access denied. Only the Replit owner can access the admin panel.' },
  'owner-sign-in-away': { status: 503, words: 'Failed to authenticate. Please try again.' },

  'frame-not-selected': { status: 400, words: 'Please choose the frame these photos are for.' },
  'photo-limit-reached': {
    status: 409,
    words: 'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.',
  },
  'frame-finalized': {
    status: 409,
    words: 'This frame is finalized, so its photos are locked. Please contact support if something has to change.',
  },
  'photo-in-production': {
    status: 409,
    words: 'This photo is locked: its frame is finalized, and its video is made or being made.',
  },
  'no-photos-in-order': { status: 404, words: 'There are no photos in this order yet.' },
  'no-files-selected': { status: 400, words: 'Please select files to upload.' },
  'addon-given-back': {
    status: 409,
    words:
      'This frame was refunded meanwhile, so it takes no more photos. Your payment is on its way back to your card, and a mail tells you of it.',
  },
  'frame-erased': {
    status: 409,
    words:
      'The photos and videos of this frame were deleted, so there is nothing left to put on it. Add a photo package to it, and you can connect it again.',
  },
  'frame-refunded': { status: 409, words: 'This frame was refunded, so it takes no more photos.' },
  'no-unused-package': {
    status: 409,
    words: 'This frame has no extra photo package that is still empty, so there is none to move.',
  },
  'no-photos-yet': { status: 409, words: 'Please upload at least one photo before finalizing.' },
  'no-file': { status: 400, words: 'Please choose a photo to upload.' },
  'no-film': { status: 415, words: 'Please choose an MP4 file.' },
  'film-too-large': {
    status: 413,
    words: `A film may have at most ${limits.filmBytes / 1024 / 1024} MB.`,
  },
  'no-media': { status: 400, words: 'Please choose a picture or a film to upload.' },
  'media-type': {
    status: 415,
    words: (facts: { names: string }) =>
      `This file is neither a picture nor a film we can show: ${facts.names}. Please use a JPEG, PNG, HEIC, WebP or GIF picture, or an MP4, MOV or WebM film.`,
  },
  'media-too-large': {
    status: 413,
    words: `A picture may have at most ${limits.photoMegabytes} MB, and a film ${limits.pageFilmBytes / 1024 / 1024} MB.`,
  },
  'image-needed': { status: 415, words: 'Please choose a picture here: a JPEG, PNG, HEIC, WebP or GIF.' },
  'video-needed': { status: 415, words: 'Please choose a film here: an MP4, MOV or WebM.' },
  'video-unplayable': {
    status: 422,
    words: (facts: { names: string }) =>
      `Not every browser can play this film: ${facts.names}. Please save it as an MP4 with H.264 and try again.`,
  },
  'invalid-file-type': {
    status: 415,
    words: (facts: { names: string }) =>
      `These files are not supported: ${facts.names}. Please use JPEG, PNG, HEIC, WebP, or GIF images.`,
  },
  'file-too-large': {
    status: 413,
    words: (facts: { names: string }) =>
      `These files exceed the ${limits.photoMegabytes}MB limit: ${facts.names}. Try compressing or resizing them.`,
  },
  'piece-out-of-order': {
    status: 409,
    words: 'This piece of the photo does not follow what has arrived. Please ask how far it is, and go on from there.',
  },
  'piece-too-long': { status: 413, words: 'This piece is longer than what is still missing of the photo.' },
  'piece-too-large': {
    status: 413,
    words: `A piece of a photo may have at most ${limits.pieceBytes / 1024} KB.`,
  },
  'too-many-arrivals': {
    status: 409,
    words: `For this frame ${limits.arrivalsPerFrame} photos are half sent already. Please finish those first.`,
  },
  'photo-damaged': {
    status: 422,
    words: (facts: { names: string }) =>
      `This file seems to be damaged and cannot be opened: ${facts.names}. Please try the original photo from your phone or camera.`,
  },
  'photo-too-many-pixels': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture has more than ${limits.photoPixels / 1e6} megapixels: ${facts.names}. Try compressing or resizing it.`,
  },
  'content-changed': {
    status: 409,
    words:
      'Somebody else has saved this section since you opened it. Nothing is overwritten: please choose what to keep.',
  },
  'notes-changed': {
    status: 409,
    words:
      'Somebody else has changed these notes since you opened them. Nothing is overwritten: please choose what to keep.',
  },
  'photo-side-too-long': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture is wider or taller than ${thousands(limits.photoSidePixels)} pixels: ${facts.names}. Try cutting it or making it smaller.`,
  },
  'photo-too-small': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture is too small for a video: ${facts.names}. It needs ${limits.photoLeastPixels} pixels on its shorter side, and looks its best from 1200 x 1200 on.`,
  },
  'photo-too-much-colour': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture has finer colors than we can open at its size: ${facts.names}. Please save it as a JPEG and try again.`,
  },
  'photo-too-slow': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture took too long to open: ${facts.names}. Try making it smaller or saving it as a JPEG.`,
  },
  'photos-too-slow': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Several of your pictures took too long to open. Please make them smaller or save them as JPEG, and try again in ${inMinutes(retryAfterSeconds)}.`,
  },
  'connection-empty': { status: 400, words: 'Please provide an invitation code or a QR photo.' },
  'connection-too-long': {
    status: 400,
    words: `Please use at most ${limits.invitationCodeCharacters} characters for the invitation code.`,
  },
  'qr-type': { status: 400, words: 'Please upload a JPEG or PNG image.' },
  'qr-too-large': { status: 413, words: 'Please upload an image smaller than 10MB.' },
  'photos-waiting': {
    status: 409,
    words: ({ frame, count }: { frame: string; count: number }) =>
      count === 1
        ? `From your family a photo for ${frame} waits for you. Please accept or remove it in My Uploads first.`
        : `From your family ${count} photos for ${frame} wait for you. Please accept or remove them in My Uploads first.`,
  },
  'link-missing': { status: 403, words: 'Please open the whole upload link that was sent to you.' },
  'link-closed': {
    status: 409,
    words:
      'These photos are finalized, so this link only shows them. Please contact support if something has to change.',
  },
  'collect-link-invalid': { status: 404, words: 'We do not know this link. Please ask for it once more.' },
  'first-name-needed': { status: 401, words: 'Please tell us your first name first.' },
  'collect-full': {
    status: 409,
    words: 'All places are taken, so nothing was added. If a photo is removed, there is room again.',
  },
  'collect-paused': { status: 409, words: 'Collecting has a break right now. Please try again a little later.' },
  'collect-ended': { status: 409, words: 'Collecting has ended, so no more photos can be added.' },
  'collect-finalized': {
    status: 409,
    words: 'The photos are on their way to becoming videos, so nothing can be changed any more.',
  },
  'collect-link-open': {
    status: 409,
    words: 'This frame has a link already. Please end it before you make a new one.',
  },
  'collect-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today until ${facts.day}.`,
  },
  'too-many-contributors': { status: 409, words: 'More people than we can count have used this link already.' },
  'too-many-invitations': {
    status: 409,
    words: 'Many invitations have gone out within the hour. Please send the link yourself, or go on a little later.',
  },
  'link-expired': { status: 403, words: 'This upload link has expired or is invalid.' },
  'delivery-link-invalid': { status: 404, words: 'This delivery link has expired or is invalid.' },
  'proof-link-invalid': { status: 404, words: 'This link has expired or is invalid.' },
  'review-link-invalid': { status: 404, words: 'This review link has expired or is invalid.' },
  'review-decided': {
    status: 409,
    words: 'This review has been read and decided, so it stays as it is. You can take it back at any time.',
  },
  'review-film-gone': {
    status: 409,
    words: 'That video is not among your finished ones, or not as you saw it. Please choose again.',
  },
  'review-changed': {
    status: 409,
    words: 'Its customer has written it anew since you read it. Please read it again.',
  },
  'proof-over': {
    status: 409,
    words: 'There is nothing to decide about these videos now. We write to you as soon as they are delivered.',
  },
  'share-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today until ${facts.day}, when the videos leave us.`,
  },
  'too-many-shares': {
    status: 409,
    words: `There are ${limits.sharesPerFrame} shared links already. Please end one of them first.`,
  },
  'no-credits-left': {
    status: 409,
    words: 'You have no reupload credit left. Please write to us if a video has come out wrong.',
  },
  'user-is-customer': {
    status: 409,
    words: 'A user and their customer are one account here, so the customer ID stays as it is.',
  },
  'no-frame-for-places': {
    status: 409,
    words: 'This user owns no frame yet, so there is nothing to put photos in. They get their places with an order.',
  },
  'frame-takes-no-more': {
    status: 409,
    words: `A frame takes at most ${thousands(limits.mostPhotosOfFrame)} photos.`,
  },
  'places-in-use': {
    status: 409,
    words: ({ what, least }: { what: 'base photos' | 'extra packages'; least: number }) =>
      `The ${what} can go down to ${least} for now: the other places hold photos or belong to a finalized frame.`,
  },
  'no-redos-left': {
    status: 409,
    words: 'All changes that come with this frame are used up. Please write to us if something is wrong.',
  },

  'mail-not-resendable': {
    status: 409,
    words: 'This mail cannot be sent again: what it said is no longer kept, or its link has ended.',
  },
  'sandbox-refused': { status: 409, words: (facts: { words: string }) => facts.words },
  'videos-not-ready': {
    status: 409,
    words: 'The videos of this frame are not finished yet. We write to you as soon as they are.',
  },
  'video-not-ready': { status: 409, words: 'This video is not finished yet.' },
  'nobody-to-answer': {
    status: 409,
    words: 'Whoever wrote this has deleted their account, so there is no address to answer to.',
  },
  'honeypot-filled': { status: 400, words: 'Your message could not be sent.' },
} as const satisfies Record<string, { status: number; words: string | ((facts: never) => string) }>;

export type RefusalName = keyof typeof refusals;
/** Those that say the same whatever happened. */
export type PlainRefusalName = {
  [N in RefusalName]: (typeof refusals)[N]['words'] extends string ? N : never;
}[RefusalName];
export type RefusalFacts<N extends RefusalName> = (typeof refusals)[N]['words'] extends (facts: infer F) => string
  ? [facts: F]
  : [];

/** An expected no: thrown by the business, answered by the server with its status and words. */
export class Refusal<N extends RefusalName = RefusalName> extends Error {
  override name = 'Refusal';
  readonly code: N;
  readonly status: number;
  /** What a screen needs beside the words; goes out with the answer. */
  details?: Record<string, unknown>;
  /** After how long it is worth another try, where that is known. */
  readonly retryAfterSeconds: number | undefined;
  constructor(code: N, ...facts: RefusalFacts<N>) {
    const { words, status } = refusals[code] as { status: number; words: string | ((facts: unknown) => string) };
    super(typeof words === 'string' ? words : words(facts[0]));
    this.code = code;
    this.status = status;
    this.retryAfterSeconds = (facts[0] as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds;
  }
}
