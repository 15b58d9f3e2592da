import { limits } from '#contract/limits.ts';
import { minutesText, hoursText } from './phrases.ts';
import type { RefusalTexts } from './refusal-texts.ts';

/** Refusals about accounts, sign-in and links in emails. */
export const accountsRefusals = {
  'wrong-credentials': { status: 401, words: 'Invalid email or password.' },
  'sign-in-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong passwords for this email. Please try again in ${minutesText(retryAfterSeconds)}, or let us email you a link to sign in.`,
  },
  'proof-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong passwords. Please try again in ${minutesText(retryAfterSeconds)}.`,
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
    words: 'This password is too easy to guess. Please make it longer, for example with one more word.',
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
      `Too many wrong passwords. Please try again in ${minutesText(retryAfterSeconds)}, use a browser where you have signed in before, or run "npm run unlock" on the shop’s computer.`,
  },
  'code-locked': {
    status: 403,
    words: 'Five wrong codes in a row. Please sign in with your password again before you enter another code.',
  },
  'codes-used-up': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `There were 20 wrong codes today, so codes are turned off for ${hoursText(retryAfterSeconds)}. Please use a recovery code, or run "npm run unlock" on the shop’s computer.`,
  },
  'recovery-codes-slowed': {
    status: 429,
    words: ({ retryAfterSeconds }: { retryAfterSeconds: number }) =>
      `Too many wrong recovery codes. Please try again in ${minutesText(retryAfterSeconds)}.`,
  },
  'second-factor-on': { status: 409, words: 'The second step is already on. Turn it off first to set it up again.' },
  'second-factor-off': { status: 409, words: 'The second step is off, so there’s nothing to change.' },
  'second-factor-not-begun': { status: 409, words: 'Please start setting up the second step first.' },
  'owner-sign-in-off': { status: 403, words: 'Access denied. Only the Replit owner can access the admin panel.' },
  'owner-sign-in-away': { status: 503, words: 'Failed to authenticate. Please try again.' },
} as const satisfies RefusalTexts;
