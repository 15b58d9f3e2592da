import { giftShippingDayError } from '#contract/gifts.ts';
import { includedPhotoCounts } from '#contract/catalog.ts';
import { limits } from '#contract/limits.ts';
import { framesLeftText } from './phrases.ts';
import type { RefusalTexts } from './refusal-texts.ts';

/** Refusals about carts, payments, orders and what follows them. */
export const buyingRefusals = {
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
      `Only ${framesLeftText(facts.left)} left. Your card was not charged. Please choose fewer frames.`,
  },
  /** The bank had authorized the amount. The authorization is released, so the card is not charged. */
  'frames-lost': {
    status: 409,
    words: (facts: { left: string }) =>
      `Your card was not charged: someone else was a moment faster, and ${facts.left === '0' ? 'the Kinframe is now sold out' : `only ${framesLeftText(facts.left)} left`}. If your bank shows a pending payment, it will disappear on its own.`,
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
} as const satisfies RefusalTexts;
