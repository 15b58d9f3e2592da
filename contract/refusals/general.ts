import type { RefusalTexts } from './refusal-texts.ts';

/** Refusals of requests and of the panel. */
export const generalRefusals = {
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
    words: 'Your browser check has expired. Nothing was changed. Please try again.',
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
} as const satisfies RefusalTexts;
