import * as z from 'zod';
import * as forms from './account-forms.ts';
import { Customer } from './accounts.ts';
import { ErasureReceipt } from './erasure.ts';
import type { Operations } from './operation.ts';

export const SessionView = z.object({
  /** Identifies the session in this list. It is not a secret and does not grant access. */
  id: z.string(),
  /** For example `Chrome on Windows`. Null if the browser did not send this information. */
  device: z.string().nullable(),
  createdAt: z.string(),
  /** Rounded to the hour. */
  lastSeenAt: z.string(),
  /** True for the session that sent this request. */
  isThis: z.boolean(),
});
export type SessionView = z.infer<typeof SessionView>;

export const PasskeyView = z.object({
  id: z.string(),
  name: z.string(),
  /** True if the passkey's provider syncs it to other devices. */
  isSynced: z.boolean(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
});
export type PasskeyView = z.infer<typeof PasskeyView>;

export const AccountFrame = z.object({
  id: z.string(),
  name: z.string(),
  orderNumber: z.string(),
  /** The number of photos that still exist. */
  photos: z.int(),
  /** When the frame's photos and videos are erased, or were erased. Null until all videos of the frame are ready. */
  keptUntil: z.string().nullable(),
  /** The customer asked to keep the frame's photos and videos for years. */
  isKept: z.boolean(),
  isErased: z.boolean(),
});
export type AccountFrame = z.infer<typeof AccountFrame>;

export const Account = z
  .object({
    customer: Customer,
    /** The new email address, until the customer confirms it. Null if no change is requested. */
    newEmail: z.string().nullable(),
    /** The customer signed in recently, so the page does not ask for the password again. */
    isFresh: z.boolean(),
    sessions: z.array(SessionView),
    passkeys: z.array(PasskeyView),
    frames: z.array(AccountFrame),
    /** Paid orders that are not complete. The customer loses them by deleting the account. */
    unfinished: z.array(z.object({ orderNumber: z.string(), words: z.array(z.string()) })),
    receipts: z.array(ErasureReceipt),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

const Message = z.object({ message: z.string() });
const IdParams = z.object({ id: z.string().max(1400) });
/** Options for the browser's passkey dialog. */
export const PasskeyOptions = z.record(z.string(), z.unknown());

export const account = {
  'GET /api/account': { summary: 'Read all data of the account page', who: 'customer', response: Account },
  'POST /api/account/prove': {
    summary: 'Confirm the password again for calls that need a fresh sign-in',
    who: 'customer',
    body: forms.PasswordProofForm,
    response: Message,
    refusals: ['password-wrong', 'proof-slowed'],
    rate: 'prove-again',
  },
  'PUT /api/account/name': {
    summary: 'Change the customer’s name',
    who: 'customer',
    body: forms.NameForm,
    response: Customer,
  },
  'POST /api/account/email': {
    summary: 'Request a change of the email address; a link is mailed to the new address',
    who: 'customer',
    body: forms.ChangeEmailForm,
    response: Message,
    refusals: ['password-needed', 'email-same'],
    rate: 'prove-again',
  },
  'POST /api/auth/change-email': {
    summary: 'Change the email address with a mailed token, signed in to the account that requested it',
    who: 'anyone',
    body: forms.TokenBody,
    response: Message,
    refusals: ['email-change-link-invalid', 'sign-in-to-account', 'email-taken'],
    rate: 'token-validation',
  },
  'POST /api/auth/end-sign-in': {
    summary: 'Sign out a browser with the token that was mailed after its sign-in',
    who: 'anyone',
    body: forms.TokenBody,
    response: z.object({ account: z.enum(['customer', 'owner']), message: z.string() }),
    refusals: ['end-sign-in-link-invalid'],
    rate: 'token-validation',
  },
  'PUT /api/account/password': {
    summary: 'Change the password and end every other session',
    who: 'customer',
    body: forms.ChangePasswordBody,
    response: Message,
    refusals: ['password-wrong', 'proof-slowed', 'common-password'],
    rate: 'prove-again',
  },
  'DELETE /api/account/sessions/:id': {
    summary: 'Sign out one browser of the customer',
    who: 'customer',
    params: IdParams,
    response: Message,
    refusals: ['not-found'],
  },
  'POST /api/account/sessions/logout': { summary: 'Sign out everywhere', who: 'customer', response: Message },
  'PUT /api/account/frames/:id/keep': {
    summary: 'Keep the photos and videos of a delivered frame for years, or only for the usual time',
    who: 'customer',
    params: IdParams,
    body: z.object({ keep: z.boolean() }),
    response: AccountFrame,
    refusals: ['not-found', 'nothing-to-keep'],
  },
  'POST /api/account/erase': {
    summary: 'Erase all photos and videos now and return the receipt',
    who: 'customer',
    response: ErasureReceipt,
    refusals: ['password-needed', 'nothing-to-erase'],
    rate: 'prove-again',
  },
  'GET /api/account/receipts/:id': {
    summary: 'Read the receipt of an erasure',
    who: 'customer',
    params: IdParams,
    response: ErasureReceipt,
    refusals: ['not-found'],
  },
  'POST /api/account/delete': {
    summary: 'Delete the account and return the receipt of what was erased with it',
    who: 'customer',
    response: ErasureReceipt,
    refusals: ['password-needed'],
    rate: 'prove-again',
  },
  'POST /api/unsubscribe': {
    summary: 'End the reminders about an order’s photos, or about carts, with the token of one reminder',
    who: 'anyone',
    body: forms.TokenBody,
    response: Message,
    refusals: ['unsubscribe-link-invalid'],
    rate: 'token-validation',
  },
  'POST /api/auth/link': {
    summary: 'Mail a sign-in link if an account with this email address exists',
    who: 'anyone',
    body: forms.ForgotPasswordForm,
    response: Message,
    rate: 'sign-in-link',
  },
  'POST /api/auth/link/login': {
    summary: 'Sign in with a mailed token, and with a new password if the address is not proven yet',
    who: 'anyone',
    body: forms.MailedTokenBody,
    response: z.object({ customer: Customer, message: z.string() }),
    refusals: ['sign-in-link-invalid', 'new-password-needed', 'common-password'],
    rate: 'token-validation',
  },
  'POST /api/auth/passkey/options': {
    summary: 'Create the options with which a browser signs in with a passkey',
    who: 'anyone',
    response: PasskeyOptions,
    rate: 'passkey',
  },
  'POST /api/auth/passkey/login': {
    summary: 'Sign in with a passkey',
    who: 'anyone',
    body: z.object({ answer: forms.PasskeyAnswer }),
    response: z.object({ customer: Customer, message: z.string() }),
    refusals: ['passkey-refused'],
    rate: 'sign-in',
  },
  'POST /api/account/passkeys/options': {
    summary: 'Create the options with which a browser creates a passkey',
    who: 'customer',
    response: PasskeyOptions,
    refusals: ['password-needed', 'too-many-passkeys'],
    rate: 'prove-again',
  },
  'POST /api/account/passkeys': {
    summary: 'Add a passkey that a browser has created',
    who: 'customer',
    body: z.object({ name: forms.PasskeyName, answer: forms.PasskeyAnswer }),
    response: PasskeyView,
    refusals: ['passkey-not-added', 'too-many-passkeys'],
  },
  'PUT /api/account/passkeys/:id': {
    summary: 'Rename a passkey',
    who: 'customer',
    params: IdParams,
    body: forms.PasskeyNameForm,
    response: PasskeyView,
    refusals: ['not-found'],
  },
  'DELETE /api/account/passkeys/:id': {
    summary: 'Remove a passkey, so that it can no longer sign in',
    who: 'customer',
    params: IdParams,
    response: Message,
    refusals: ['password-needed', 'not-found'],
    rate: 'prove-again',
  },
} satisfies Operations;
