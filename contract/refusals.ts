import { giftShippingDayError } from './gifts.ts';
import { lifetimes, limits } from './limits.ts';
import { includedPhotoCounts } from './catalog.ts';

const inMinutes = (seconds: number) => (seconds <= 60 ? 'a minute' : `${Math.ceil(seconds / 60)} minutes`);

const inHours = (seconds: number) => (seconds <= 3600 ? 'an hour' : `${Math.ceil(seconds / 3600)} hours`);

const framesWords = (left: string) => (left === '1' ? '1 frame is' : `${left} frames are`);

const thousands = (count: number) => new Intl.NumberFormat('en-US').format(count);

/** The code, status and text of every refusal. Texts from the specification are kept exactly. */
export const refusals = {
  'invalid-request': { status: 400, words: 'Please check what you entered and try again.' },
  'too-slow': { status: 408, words: 'Your request took too long to reach us. Please try again.' },
  'search-too-short': { status: 400, words: 'Please enter at least two letters or digits to search.' },
  'page-unknown': {
    status: 400,
    words: 'Your search, filter or sort order has changed. Please go back to the first page.',
  },
  'not-found': { status: 404, words: 'We couldn’t find that.' },
  'nothing-to-write': {
    status: 400,
    words: 'There is no title to write on this video yet. Please add one first, in Latin letters.',
  },
  'sign-in-needed': { status: 401, words: 'Please sign in to continue.' },
  'admin-needed': { status: 401, words: 'Please sign in to the admin panel.' },
  'role-needed': {
    status: 403,
    words: ({ needed }: { needed: string }) => `Your role doesn’t include this. It needs the role ${needed}.`,
  },
  'staff-removed': { status: 401, words: 'You no longer have access to this panel. Please ask the owner of the shop.' },
  'staff-role-changed': { status: 401, words: 'The owner changed your role. Please sign in again.' },
  'wrong-staff-password': { status: 401, words: 'This email address and password don’t match. Please try again.' },
  'staff-invitation-invalid': {
    status: 410,
    words: 'This invitation was already used, was withdrawn or has expired. Please ask the owner for a new one.',
  },
  'staff-email-taken': { status: 409, words: 'Someone with this email address is already on the list.' },
  'staff-already-active': { status: 409, words: 'This person has already accepted the invitation.' },
  'own-access': { status: 409, words: 'You can’t change or remove your own access. Please ask another owner.' },
  'last-way-in': {
    status: 409,
    words: 'This is your only way to sign in. Please add another passkey before you remove this one.',
  },
  'second-step-required': { status: 409, words: 'Staff always sign in with a second step, so it can’t be turned off.' },
  'step-up-needed': { status: 403, words: 'Nothing has changed yet. Please confirm that it’s you first.' },
  'address-not-allowed': { status: 403, words: 'Access is restricted to authorized IP addresses.' },
  'foreign-origin': { status: 403, words: 'This request didn’t come from our website, so we didn’t accept it.' },
  'json-needed': { status: 415, words: 'Please send this request as JSON.' },
  'body-too-large': { status: 413, words: 'That’s too much to send at once. Please send less and try again.' },
  'too-many-requests': {
    status: 429,
    words: 'Too many tries in a short time. Please wait a little and try again.',
  },
  'proof-of-work-needed': {
    status: 428,
    words:
      'Many requests came from your network in the last hour, so we have to check your browser. That usually happens on its own, but it didn’t work this time. Please try again, or use another browser.',
  },
  'proof-of-work-refused': {
    status: 428,
    words: 'The check of your browser has expired. Nothing was changed. Please try again.',
  },
  unavailable: {
    status: 503,
    words: 'Part of our shop is not responding right now. Nothing is lost. Please try again in a minute.',
  },
  'storage-full': {
    status: 507,
    words: 'We can’t store this file right now. Nothing is lost. Please try again later.',
  },
  'push-address-refused': {
    status: 400,
    words: 'This browser gave an address that we can’t send notifications to. Please try another browser.',
  },
  'too-many-push-devices': {
    status: 409,
    words: 'Twenty devices get notifications already. Please remove one first.',
  },
  'push-device-gone': {
    status: 410,
    words: 'This device doesn’t accept notifications anymore, so we removed it. Please turn them on again.',
  },
  'push-failed': {
    status: 503,
    words: 'The notification service of this browser is not responding right now. Please try again in a minute.',
  },
  unexpected: { status: 500, words: 'Something went wrong on our end. Nothing is lost. Please try again.' },

  'unknown-product': { status: 400, words: 'We do not sell that product.' },
  'bundle-needs-frame': {
    status: 400,
    words: `Photo packages are an add-on for a frame. Please buy one together with a frame, or go to My Uploads to add ${includedPhotoCounts.extraPackage} photos to a frame you already own.`,
  },
  'one-service': { status: 400, words: 'You can buy the Bring Your Own Frame service for one frame at a time.' },
  'details-needed': { status: 400, words: 'Please add your customer details before paying.' },
  'gift-needs-parcel': {
    status: 400,
    words: 'Only a frame can be sent as a gift. With Bring Your Own Frame, we deliver the videos to you by email.',
  },
  'gift-day-outside': {
    status: 400,
    words: (facts: { day: string }) => giftShippingDayError(facts.day),
  },
  'tax-location-needed': {
    status: 400,
    words: 'Please enter your country and your ZIP or postal code. We need them to calculate sales tax.',
  },
  'tax-location-unknown': {
    status: 400,
    words: 'We could not calculate sales tax for this address. Please check it, especially the ZIP or postal code.',
  },
  'promo-code-unknown': { status: 400, words: 'We do not recognize this promo code. Please check the spelling.' },
  'promo-code-too-early': {
    status: 409,
    words: (facts: { day: string }) => `This promo code cannot be used yet. It starts on ${facts.day}.`,
  },
  'promo-code-expired': {
    status: 409,
    words: (facts: { day: string }) => `This promo code has expired. Its last day was ${facts.day}.`,
  },
  'promo-code-used-up': { status: 409, words: 'This promo code has already been used as often as it can be.' },
  /** The bank had authorized the amount. The authorization is released, so the card is not charged. */
  'promo-code-lost': {
    status: 409,
    words: (facts: { code: string; more: string }) =>
      `Your card was not charged: someone else used ${facts.code} for the last time a moment before you. Without it, your order costs ${facts.more} more. If your bank shows a pending payment, it will disappear on its own.`,
  },
  'gift-card-unknown': {
    status: 400,
    words: 'We do not recognize this gift card code. Please check the 16 characters and try again.',
  },
  'gift-card-void': { status: 409, words: 'This gift card was canceled, so it cannot be used.' },
  'gift-card-empty': {
    status: 409,
    words: (facts: { last: string }) => `There is no money left on the gift card ending in ${facts.last}.`,
  },
  /** Another checkout has entered the card and has not paid yet. */
  'gift-card-reserved': {
    status: 409,
    words: (facts: { last: string; minutes: string }) =>
      `The gift card ending in ${facts.last} is being used in another checkout. Please finish there, or try again in ${facts.minutes} minutes.`,
  },
  'gift-card-lost': {
    status: 409,
    words:
      'Nothing was charged: the gift card was used for another order a moment before. Please check the total and try again. If your bank shows a pending payment, it will disappear on its own.',
  },
  'gift-card-codes-used-up': {
    status: 409,
    words: 'This gift card was printed or sent very often. Please write to us, and we will help you.',
  },
  'gift-card-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today to ${facts.day}.`,
  },
  'gift-card-used': {
    status: 409,
    words: 'This gift card was already used, so it cannot be refunded. You can void it without a refund.',
  },
  'gift-card-not-active': { status: 409, words: 'This gift card is not active. Please reload the page.' },
  'gift-card-printed': { status: 409, words: 'This gift card has no email address. Please enter one.' },
  'sold-out': {
    status: 409,
    words:
      'The Kinframe is sold out right now. Your card was not charged. To get an email when it’s back in stock, sign up on the Kinframe page.',
  },
  'too-few-frames': {
    status: 409,
    words: (facts: { left: string }) =>
      `Only ${framesWords(facts.left)} left. Your card was not charged. Please choose a smaller number of frames.`,
  },
  /** The bank had authorized the amount. The authorization is released, so the card is not charged. */
  'frames-lost': {
    status: 409,
    words: (facts: { left: string }) =>
      `Your card was not charged: someone else was a moment faster, and ${facts.left === '0' ? 'the Kinframe is now sold out' : `only ${framesWords(facts.left)} left`}. If your bank shows a pending payment, it will disappear on its own.`,
  },
  'frames-back': {
    status: 409,
    words: 'Good news: the Kinframe is available again. Please reload the page to buy it.',
  },
  'stock-changed': {
    status: 409,
    words: (facts: { left: string }) =>
      `The number of frames changed after you opened this page: it’s now ${facts.left}. Nothing was saved. Please check your number.`,
  },
  'payment-not-found': { status: 404, words: 'We couldn’t find that payment.' },
  'payment-not-finished': { status: 402, words: 'Payment was not completed successfully' },
  'payment-mismatch': {
    status: 409,
    words: 'This payment doesn’t match its order. Please contact support. You won’t be charged twice.',
  },
  'payment-provider-unavailable': {
    status: 503,
    words: 'We cannot reach our payment provider right now. You have not been charged. Please try again in a minute.',
  },
  /** After the customer has paid, the text must not say that the card was not charged. */
  'payment-unconfirmed': {
    status: 503,
    words:
      'We cannot reach our payment provider right now, so we do not know yet whether your payment went through. Please do not pay again. If it did, we will find it and email you.',
  },
  'nothing-to-refund': { status: 409, words: 'This order has already been refunded in full.' },
  'refund-too-large': {
    status: 409,
    words: (facts: { left: string }) => `You can still refund up to ${facts.left} of this order.`,
  },
  'payment-disputed': {
    status: 409,
    words:
      'The customer’s bank has taken this payment back, so it can’t be refunded. Please respond to the dispute instead.',
  },
  'refund-under-way': {
    status: 409,
    words: 'This payment has already been refunded, or the refund is on its way. You don’t need to do anything.',
  },
  'refund-unknown': {
    status: 503,
    words:
      'We can’t reach the payment provider right now, so we don’t know whether this payment was refunded. Please try again in a minute.',
  },
  'no-payment-problem': { status: 409, words: 'This payment problem is already closed.' },
  'already-shipped': {
    status: 409,
    words: 'This order has shipped, so its address can’t be changed. Please ask the carrier to redirect the package.',
  },
  'order-canceled': { status: 409, words: 'This order is canceled, so it can’t be changed or shipped anymore.' },
  'cancel-shipped': {
    status: 409,
    words: 'This order has shipped, so it can’t be canceled. Please refund it when the package is back.',
  },
  'cancel-complete': {
    status: 409,
    words: 'Everything in this order has been delivered, so there’s nothing left to cancel. You can still refund it.',
  },
  'cancel-add-on': {
    status: 409,
    words: 'This order only adds photos to a frame. Refund it, or cancel the order of its frame.',
  },
  'cancel-changed': {
    status: 409,
    words: 'This order has changed since you opened it, so nothing was canceled. Please check the new amounts.',
  },
  'nothing-to-return': { status: 409, words: 'This order has no frame that can be returned.' },
  'return-not-shipped': {
    status: 409,
    words: 'This order hasn’t shipped yet, so there’s nothing to return. Please write to us if you want to cancel it.',
  },
  'return-window-over': {
    status: 409,
    words: (facts: { day: string }) =>
      `This order could be returned until ${facts.day}. If something is wrong with the frame, please write to us.`,
  },
  'return-open': {
    status: 409,
    words: 'You already asked to return this frame. Please reload the page to see our answer.',
  },
  'return-incomplete': {
    status: 400,
    words: 'Some details are missing or too long. Please check what you entered and try again.',
  },
  'too-many-returns': {
    status: 409,
    words: 'You already asked for many returns of this order. Please write to us instead.',
  },
  'return-changed': {
    status: 409,
    words: 'This return has changed since you opened it. Nothing was done. Please look at it again.',
  },
  'return-answer-needed': {
    status: 400,
    words: 'Please add a label, a link or an answer, so that the customer knows what to do.',
  },
  'label-type': { status: 415, words: 'Please choose a PDF file or an image for the label.' },
  'label-too-large': { status: 413, words: `Please choose a label of at most ${limits.labelMegabytes} MB.` },
  'package-sent': {
    status: 409,
    words: 'This order was already shipped with another tracking number. Nothing was changed.',
  },
  'nothing-to-ship': { status: 409, words: 'This order is for a service, so there’s nothing to ship.' },

  'wrong-credentials': { status: 401, words: 'Invalid email or password.' },
  'sign-in-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong passwords for this email. Please try again in ${inMinutes(retryAfterSeconds)}, or let us email you a link to sign in.`,
  },
  'proof-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong passwords. Please try again in ${inMinutes(retryAfterSeconds)}.`,
  },
  'email-taken': { status: 409, words: 'An account with this email already exists. Please sign in instead.' },
  'email-unconfirmed': {
    status: 409,
    words:
      'An account with this email already has an order, but the email address is not confirmed yet. Please open the link we emailed you, or sign in.',
  },
  'new-password-needed': {
    status: 409,
    words: 'Please choose a new password, or sign in to this account in this browser first.',
  },
  'sign-in-to-account': {
    status: 403,
    words: 'Please sign in, in this browser, to the account that requested this link. Then open the link again.',
  },
  'password-needed': { status: 403, words: 'Please enter your password to continue.' },
  'password-wrong': { status: 403, words: 'That is not your current password. Please try again.' },
  'end-sign-in-link-invalid': {
    status: 400,
    words:
      'This link was already used or has expired. If you think someone else can sign in to your account, please set a new password.',
  },
  'email-same': { status: 409, words: 'That’s already your email address.' },
  'email-change-link-invalid': {
    status: 400,
    words: 'This link is invalid or has expired. You can request a new one in your account.',
  },
  'sign-in-link-invalid': {
    status: 400,
    words: 'This sign-in link was already used or has expired. Please request a new one.',
  },
  'payment-link-paid': {
    status: 409,
    words: 'This order is already paid. You don’t need to pay again. We emailed the receipt.',
  },
  'payment-link-over': {
    status: 409,
    words: 'This payment link has ended. Please contact us, and we’ll send you a new one.',
  },
  'phone-orders-full': {
    status: 409,
    words: 'There are too many open payment links. Please cancel some that are no longer needed.',
  },
  'phone-order-ended': {
    status: 409,
    words: 'This payment link has ended in the meantime: it was paid, canceled, or is too old.',
  },
  'phone-order-unpriced': {
    status: 409,
    words: (facts: { why: string }) => `This cart can’t be bought now. ${facts.why}`,
  },
  'phone-order-mailed': {
    status: 409,
    words: 'The link was emailed less than a minute ago. Please wait a little before you send it again.',
  },
  'cart-link-invalid': {
    status: 400,
    words: 'This link has expired, or the order was already placed. You can start a new order at any time.',
  },
  'unsubscribe-link-invalid': {
    status: 400,
    words: 'This link has expired. Write to us and we’ll stop the reminders for you.',
  },
  'passkey-refused': {
    status: 401,
    words: 'This passkey did not work. Please try again or sign in another way.',
  },
  'passkey-wrong': {
    status: 403,
    words: 'This passkey did not work. Please try again or confirm another way.',
  },
  'passkey-not-added': { status: 400, words: 'Your passkey could not be added. Please try again.' },
  'too-many-passkeys': {
    status: 409,
    words: `You can have up to ${limits.passkeysPerCustomer} passkeys. Please remove one you no longer use.`,
  },
  'nothing-to-keep': { status: 409, words: 'This frame doesn’t have any delivered videos to keep.' },
  'nothing-to-erase': { status: 409, words: 'You have no photos or videos here anymore.' },
  'common-password': {
    status: 400,
    words: 'This password is too easy to guess. Please choose another one.',
  },
  'reset-link-invalid': {
    status: 400,
    words: 'This password reset link is invalid or has expired. Please request a new one.',
  },
  'confirmation-link-invalid': {
    status: 400,
    words:
      'This confirmation link is invalid or has expired. You can also confirm your email address by resetting your password.',
  },
  'registration-done': { status: 409, words: 'Your account is ready. Please sign in.' },
  'registration-expired': { status: 404, words: 'Registration session not found or expired' },
  'wrong-admin-password': { status: 401, words: 'Invalid password' },
  'admin-password-first': {
    status: 403,
    words: 'You ran out of time to enter the code. Please start again with your password.',
  },
  'code-wrong': {
    status: 403,
    words: 'That code is wrong or was already used. Please enter the code your app shows now.',
  },
  'admin-sign-in-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong passwords. Please try again in ${inMinutes(retryAfterSeconds)}, use a browser where you have signed in before, or run "npm run unlock" on the shop’s computer.`,
  },
  'code-locked': {
    status: 403,
    words: 'Five wrong codes in a row. Please sign in with your password again before you enter another code.',
  },
  'codes-used-up': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `There were 20 wrong codes today, so codes are turned off for ${inHours(retryAfterSeconds)}. Please use a recovery code, or run "npm run unlock" on the shop’s computer.`,
  },
  'recovery-codes-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong recovery codes. Please try again in ${inMinutes(retryAfterSeconds)}.`,
  },
  'second-factor-on': { status: 409, words: 'The second step is already on. Turn it off first to set it up again.' },
  'second-factor-off': { status: 409, words: 'The second step is off, so there’s nothing to change.' },
  'second-factor-not-begun': { status: 409, words: 'Please start setting up the second step first.' },
  'owner-sign-in-off': { status: 403, words: 'Access denied. Only the Replit owner can access the admin panel.' },
  'owner-sign-in-away': { status: 503, words: 'Failed to authenticate. Please try again.' },

  'frame-not-selected': { status: 400, words: 'Please choose the frame these photos are for.' },
  'photo-limit-reached': {
    status: 409,
    words: 'This frame has reached its photo upload limit. Purchase additional photo packages to upload more photos.',
  },
  'frame-finalized': {
    status: 409,
    words: 'This frame is finalized, so its photos are locked. Please contact support if something needs to change.',
  },
  'photo-changed': {
    status: 409,
    words: 'This photo was turned or cropped in another window. Please look at it again, then make your change.',
  },
  'not-a-pair': {
    status: 409,
    words: 'Only two upright photos that you’ve accepted can be shown side by side.',
  },
  'crop-too-small': {
    status: 400,
    words: `This part of the photo is too small for a video. It needs at least ${limits.photoLeastPixels} pixels on its shorter side.`,
  },
  'photo-in-production': {
    status: 409,
    words: 'This photo is locked because its frame is finalized and we’re making its video.',
  },
  'no-photos-in-order': { status: 404, words: 'There are no photos in this order yet.' },
  'no-files-selected': { status: 400, words: 'Please select files to upload.' },
  'addon-given-back': {
    status: 409,
    words:
      'This frame was refunded in the meantime, so you cannot add photos to it. Your payment is on its way back to your card, and we will email you about it.',
  },
  'frame-erased': {
    status: 409,
    words:
      'The photos and videos of this frame were deleted, so there is nothing to put on it. Add a photo package, and then you can connect it again.',
  },
  'frame-refunded': { status: 409, words: 'This frame was refunded, so you cannot add photos to it.' },
  'no-unused-package': {
    status: 409,
    words: 'This frame doesn’t have an empty photo package to move.',
  },
  'no-photos-yet': { status: 409, words: 'Please upload at least one photo before finalizing.' },
  'no-file': { status: 400, words: 'Please choose a photo to upload.' },
  'no-film': { status: 415, words: 'Please choose an MP4 file.' },
  'film-too-large': {
    status: 413,
    words: `Please choose a video of at most ${limits.filmBytes / 1024 / 1024} MB.`,
  },
  'no-media': { status: 400, words: 'Please choose a picture or a video to upload.' },
  'media-type': {
    status: 415,
    words: (facts: { names: string }) =>
      `We can’t show this file: ${facts.names}. Please use a JPEG, PNG, HEIC, WebP or GIF picture, or an MP4, MOV or WebM video.`,
  },
  'media-too-large': {
    status: 413,
    words: `Pictures can be up to ${limits.photoMegabytes} MB, and videos up to ${limits.pageFilmBytes / 1024 / 1024} MB.`,
  },
  'image-needed': { status: 415, words: 'Please choose a picture: a JPEG, PNG, HEIC, WebP or GIF.' },
  'video-needed': { status: 415, words: 'Please choose a video file: MP4, MOV or WebM.' },
  'video-unplayable': {
    status: 422,
    words: (facts: { names: string }) =>
      `Not every browser can play this video: ${facts.names}. Please save it as an MP4 with H.264 and try again.`,
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
    words: 'This part of the photo is out of order. Please check how much has arrived and continue from there.',
  },
  'piece-too-long': { status: 413, words: 'This part is longer than the rest of the photo.' },
  'piece-too-large': {
    status: 413,
    words: `One part of a photo can be at most ${limits.pieceBytes / 1024} KB.`,
  },
  'too-many-arrivals': {
    status: 409,
    words: `This frame already has ${limits.arrivalsPerFrame} photos still uploading. Please let them finish first.`,
  },
  'photo-damaged': {
    status: 422,
    words: (facts: { names: string }) =>
      `We cannot open this file because it seems to be damaged: ${facts.names}. Please try the original photo from your phone or camera.`,
  },
  'photo-too-many-pixels': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture has more than ${limits.photoPixels / 1e6} megapixels: ${facts.names}. Try compressing or resizing it.`,
  },
  'content-changed': {
    status: 409,
    words:
      'Someone else saved this section after you opened it. Nothing was overwritten. Please choose which version to keep.',
  },
  'notes-changed': {
    status: 409,
    words:
      'Someone else changed these notes after you opened them. Nothing was overwritten. Please choose which version to keep.',
  },
  'photo-side-too-long': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture is wider or taller than ${thousands(limits.photoSidePixels)} pixels: ${facts.names}. Try cropping it or making it smaller.`,
  },
  'photo-too-small': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture is too small for a video: ${facts.names}. It needs at least ${limits.photoLeastPixels} pixels on its shorter side. Photos of 1200 x 1200 or more look best.`,
  },
  'photo-too-much-colour': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture has more color detail than we can handle at this size: ${facts.names}. Please save it as a JPEG and try again.`,
  },
  'photo-too-slow': {
    status: 422,
    words: (facts: { names: string }) =>
      `This picture took too long to open: ${facts.names}. Try making it smaller or saving it as a JPEG.`,
  },
  'photos-too-slow': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Several of your pictures took too long to open. Please make them smaller or save them as JPEGs, and try again in ${inMinutes(retryAfterSeconds)}.`,
  },
  'trial-off': { status: 409, words: 'You can’t try a photo right now.' },
  'trial-limit-reached': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `You can try ${limits.trialsPerNetwork} photos a day from one internet connection. You can try the next one in ${inHours(retryAfterSeconds)}.`,
  },
  'trial-queue-full': {
    status: 409,
    words:
      'A lot of people are trying a photo right now. We didn’t keep your photo. Please try again in a few minutes.',
  },
  'trial-not-ready': { status: 409, words: 'Your video is not ready yet. You can do this once it’s ready to watch.' },
  'trial-mail-limit': {
    status: 429,
    words: 'We’ve already sent the link several times. Please check your inbox, or try again in an hour.',
  },
  'trial-claimed': { status: 409, words: 'This photo is already on a frame.' },
  'trial-link-invalid': {
    status: 404,
    words: `This link doesn’t work anymore. We delete free videos ${lifetimes.trialHours} hours after the photo was sent, or sooner if the person who sent it asks.`,
  },
  'connection-empty': { status: 400, words: 'Please enter an invitation code or add a photo of the QR code.' },
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
        ? `Your family added a photo for ${frame}. Please accept or remove it in My Uploads first.`
        : `Your family added ${count} photos for ${frame}. Please accept or remove them in My Uploads first.`,
  },
  'link-missing': { status: 403, words: 'Please open the complete upload link that we sent you.' },
  'link-closed': {
    status: 409,
    words:
      'These photos are finalized, so you can only view them here. Please contact support if something needs to change.',
  },
  'collect-link-invalid': {
    status: 404,
    words: 'We do not recognize this link. Please ask the sender for it again.',
  },
  'first-name-needed': { status: 401, words: 'Please tell us your first name first.' },
  'collect-full': {
    status: 409,
    words: 'The frame is full, so nothing was added. If someone removes a photo, you can add another one.',
  },
  'photo-accepted': {
    status: 409,
    words: 'This photo is in the frame now, so only the owner of the frame can change its title.',
  },
  'collect-paused': {
    status: 409,
    words: 'You can’t add photos through this link right now. Please try again a little later.',
  },
  'collect-ended': { status: 409, words: 'Collecting has ended, so you cannot add more photos.' },
  'collect-finalized': {
    status: 409,
    words: 'The photos are being turned into videos, so they cannot be changed anymore.',
  },
  'collect-link-open': {
    status: 409,
    words: 'This frame already has a link. Please end it before you make a new one.',
  },
  'collect-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today to ${facts.day}.`,
  },
  'too-many-contributors': { status: 409, words: 'This link has reached its limit, so no one else can join.' },
  'too-many-invitations': {
    status: 409,
    words: 'You’ve sent a lot of invitations in the last hour. Please share the link yourself, or try again later.',
  },
  'link-expired': { status: 403, words: 'This upload link has expired or is invalid.' },
  'delivery-withdrawn': {
    status: 404,
    words: 'This order was refunded and its photos were removed, so its videos are no longer here.',
  },
  'delivery-link-invalid': { status: 404, words: 'This delivery link has expired or is invalid.' },
  'proof-link-invalid': { status: 404, words: 'This link has expired or is invalid.' },
  'review-link-invalid': { status: 404, words: 'This review link has expired or is invalid.' },
  'review-decided': {
    status: 409,
    words: 'We’ve already read this review, so it can’t be changed anymore. You can still delete it at any time.',
  },
  'review-film-gone': {
    status: 409,
    words: 'That video is no longer available or has changed. Please choose again.',
  },
  'review-changed': {
    status: 409,
    words: 'The customer changed this review after you read it. Please read it again.',
  },
  'proof-over': {
    status: 409,
    words: 'You don’t need to decide about these videos right now. We’ll email you as soon as they’re delivered.',
  },
  'share-day-outside': {
    status: 400,
    words: (facts: { day: string }) => `Please choose a day from today to ${facts.day}, when we delete the videos.`,
  },
  'too-many-shares': {
    status: 409,
    words: `You already have ${limits.sharesPerFrame} shared links. Please end one of them first.`,
  },
  'no-credits-left': {
    status: 409,
    words: 'You don’t have any reupload credits left. Please write to us if a video didn’t turn out right.',
  },
  'user-is-customer': {
    status: 409,
    words: 'A user and their customer record are the same account, so the customer ID can’t be changed.',
  },
  'no-frame-for-places': {
    status: 409,
    words: 'This user doesn’t own a frame yet, so there’s no room for photos. An order adds it.',
  },
  'frame-takes-no-more': {
    status: 409,
    words: `A frame can hold at most ${thousands(limits.mostPhotosOfFrame)} photos.`,
  },
  'places-in-use': {
    status: 409,
    words: ({ what, least }: { what: 'base photos' | 'extra packages'; least: number }) =>
      `The ${what} can’t go below ${least} right now. The others are filled with photos or belong to a finalized frame.`,
  },
  'no-redos-left': {
    status: 409,
    words: 'You’ve used all the changes included with this frame. Please write to us if something is wrong.',
  },

  'mail-not-resendable': {
    status: 409,
    words: 'This email can’t be sent again because we deleted its content or its link has expired.',
  },
  'sandbox-refused': { status: 409, words: (facts: { words: string }) => facts.words },
  'videos-not-ready': {
    status: 409,
    words: 'The videos of this frame are not ready yet. We will email you as soon as they are.',
  },
  'no-earlier-video': { status: 409, words: 'There is no earlier approved video to go back to.' },
  'video-not-ready': { status: 409, words: 'This video isn’t ready yet.' },
  'nobody-to-answer': {
    status: 409,
    words: 'The person who wrote this deleted their account, so there is no email address to reply to.',
  },
  'answer-file-missing': { status: 400, words: 'Please choose a file.' },
  'answer-file-type': { status: 415, words: 'Please choose a PDF file or an image.' },
  'answer-file-too-large': {
    status: 413,
    words: `Please choose a file of at most ${limits.answerFileMegabytes} MB.`,
  },
  'answer-file-gone': {
    status: 409,
    words: 'One of the files is not available anymore. Please remove it and add it again.',
  },
  'too-many-replies': {
    status: 409,
    words: `There are ${limits.savedReplies} saved replies. Please delete one first.`,
  },
  'honeypot-filled': { status: 400, words: 'We couldn’t send your message.' },
} as const satisfies Record<string, { status: number; words: string | ((facts: never) => string) }>;

export type RefusalName = keyof typeof refusals;
/** Refusals with a fixed text. */
export type PlainRefusalName = {
  [N in RefusalName]: (typeof refusals)[N]['words'] extends string ? N : never;
}[RefusalName];
export type RefusalFacts<N extends RefusalName> = (typeof refusals)[N]['words'] extends (facts: infer F) => string
  ? [facts: F]
  : [];

/** An expected refusal. The business code throws it, and the server responds with its status and text. */
export class Refusal<N extends RefusalName = RefusalName> extends Error {
  override name = 'Refusal';
  readonly code: N;
  readonly status: number;
  /** The same number as `status`, under the name that Fastify's error handlers read. */
  readonly statusCode: number;
  /** Extra data for the screen. The response includes it. */
  details?: Record<string, unknown>;
  /** When a retry makes sense, if known. */
  readonly retryAfterSeconds: number | undefined;
  constructor(code: N, ...facts: RefusalFacts<N>) {
    const { words, status } = refusals[code] as { status: number; words: string | ((facts: unknown) => string) };
    super(typeof words === 'string' ? words : words(facts[0]));
    this.code = code;
    this.status = status;
    this.statusCode = status;
    this.retryAfterSeconds = (facts[0] as { retryAfterSeconds?: number } | undefined)?.retryAfterSeconds;
  }
}
