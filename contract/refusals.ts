import { limits } from './limits.ts';
import { photosIncluded } from './catalog.ts';

/** The name and words of every expected no, with its HTTP status. What the specification words is kept to the letter. */
export const refusals = {
  'invalid-request': { status: 400, words: 'Please check what you entered and try again.' },
  'not-found': { status: 404, words: 'We could not find that.' },
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
  'nothing-to-refund': { status: 409, words: 'All of this order’s money has been given back already.' },
  'refund-too-large': {
    status: 409,
    words: (facts: { left: string }) => `At most ${facts.left} of this order can still be refunded.`,
  },
  'payment-disputed': {
    status: 409,
    words: 'The customer’s bank has taken this payment back, so it cannot be refunded. Answer the dispute instead.',
  },
  'nothing-to-ship': { status: 409, words: 'Nothing is shipped for this order: it is a service.' },

  'wrong-credentials': { status: 401, words: 'Invalid email or password.' },
  'email-taken': { status: 409, words: 'An account with this email already exists. Please sign in instead.' },
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
  'registration-expired': { status: 404, words: 'Registration session not found or expired' },
  'wrong-admin-password': { status: 401, words: 'Invalid password' },
  'owner-sign-in-off': { status: 403, words: 'Access denied. Only the Replit owner can access the admin panel.' },

  'frame-not-selected': { status: 400, words: 'Please choose the frame these photos are for.' },
  'photo-limit-reached': {
    status: 409,
    words: 'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.',
  },
  'frame-finalized': {
    status: 409,
    words: 'This frame is finalized, so its photos are locked. Please contact support if something has to change.',
  },
  'frame-refunded': { status: 409, words: 'This frame was refunded, so it takes no more photos.' },
  'no-unused-package': {
    status: 409,
    words: 'This frame has no extra photo package that is still empty, so there is none to move.',
  },
  'no-photos-yet': { status: 409, words: 'Please upload at least one photo before finalizing.' },
  'no-file': { status: 400, words: 'Please choose a photo to upload.' },
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
  'connection-empty': { status: 400, words: 'Please provide an invitation code or a QR photo.' },
  'connection-too-long': {
    status: 400,
    words: `Please use at most ${limits.invitationCodeCharacters} characters for the invitation code.`,
  },
  'qr-type': { status: 400, words: 'Please upload a JPEG or PNG image.' },
  'qr-too-large': { status: 413, words: 'Please upload an image smaller than 10MB.' },
  'link-expired': { status: 403, words: 'This upload link has expired or is invalid.' },
  'delivery-link-invalid': { status: 404, words: 'This delivery link has expired or is invalid.' },

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
  'honeypot-filled': { status: 400, words: 'Your message could not be sent.' },
} as const satisfies Record<string, { status: number; words: string | ((facts: never) => string) }>;

export type RefusalName = keyof typeof refusals;
export type RefusalFacts<N extends RefusalName> = (typeof refusals)[N]['words'] extends (facts: infer F) => string
  ? [facts: F]
  : [];

/** An expected no: thrown by the business, answered by the server with its status and words. */
export class Refusal<N extends RefusalName = RefusalName> extends Error {
  override name = 'Refusal';
  readonly code: N;
  readonly status: number;
  constructor(code: N, ...facts: RefusalFacts<N>) {
    const { words, status } = refusals[code] as { status: number; words: string | ((facts: unknown) => string) };
    super(typeof words === 'string' ? words : words(facts[0]));
    this.code = code;
    this.status = status;
  }
}
