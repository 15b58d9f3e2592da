import * as z from 'zod';
import { PasskeyOptions } from '#contract/account.ts';
import { AdminCodeForm, AdminPasswordForm, PasskeyAnswer } from '#contract/account-forms.ts';
import type { Operations } from '#contract/operation.ts';

const Done = z.object({ success: z.boolean(), message: z.string() });

export const ownerSession = {
  'GET /api/admin/session': {
    summary: 'Whether this browser is signed in to the admin panel',
    who: 'anyone',
    response: z.object({ isAuthenticated: z.boolean(), admin: z.object({ username: z.string() }).optional() }),
  },
  'POST /api/admin/auth/password': {
    summary: 'Sign in to the admin panel',
    who: 'anyone',
    body: AdminPasswordForm,
    /** If a code is needed, no one is signed in yet, so `success` is false. */
    response: Done.extend({ codeNeeded: z.boolean().optional() }),
    refusals: ['wrong-admin-password', 'admin-sign-in-slowed', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/auth/code': {
    summary: 'Sign in to the admin panel, after the password, with a code of the second factor',
    who: 'anyone',
    body: AdminCodeForm,
    response: Done.extend({ recoveryCodesLeft: z.int().optional() }),
    refusals: [
      'admin-password-first',
      'code-wrong',
      'code-locked',
      'codes-used-up',
      'recovery-codes-slowed',
      'address-not-allowed',
    ],
    rate: 'admin-code',
  },
  'POST /api/admin/auth/passkey/options': {
    summary:
      'What a browser needs to sign in to the admin panel, or to prove who is there, with a passkey of the owner’s',
    who: 'anyone',
    response: PasskeyOptions,
    refusals: ['address-not-allowed'],
    rate: 'admin-passkey',
  },
  'POST /api/admin/auth/passkey': {
    summary: 'Sign in to the admin panel with a passkey of the owner’s, in place of password and code',
    who: 'anyone',
    body: z.object({ answer: PasskeyAnswer }),
    response: Done,
    refusals: ['passkey-refused', 'address-not-allowed'],
    rate: 'admin-passkey',
  },
  'POST /api/admin/auth/replit': {
    summary: 'Sign in as the owner through OpenID Connect: where the browser goes next',
    who: 'anyone',
    response: z.object({ success: z.boolean(), redirect: z.string().optional(), message: z.string() }),
    refusals: ['owner-sign-in-off', 'owner-sign-in-away', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/logout': {
    summary: 'End the admin session',
    who: 'anyone',
    response: Done,
    refusals: ['address-not-allowed'],
  },
} satisfies Operations;
