import * as z from 'zod';
import { PasskeyOptions } from '#contract/account.ts';
import { AdminCodeForm, AdminPasswordForm, PasskeyAnswer } from '#contract/account-forms.ts';
import type { Operations } from '#contract/operation.ts';
import { StaffSignInForm } from '#contract/staff-forms.ts';
import { roles } from './areas.ts';

const SuccessMessage = z.object({ success: z.boolean(), message: z.string() });

export const ownerSession = {
  'GET /api/admin/session': {
    summary: 'Check whether this browser is signed in to the admin panel',
    who: 'anyone',
    response: z.object({
      isAuthenticated: z.boolean(),
      admin: z
        .object({
          /** `owner` for the owner of the settings, else the name of the member of the staff. */
          username: z.string(),
          role: z.enum(roles),
          isStaff: z.boolean(),
        })
        .optional(),
      /** Why the owner ended the session of this browser. Absent for any other end. */
      ended: z.enum(['removed', 'role-changed']).optional(),
    }),
  },
  'POST /api/admin/auth/password': {
    summary: 'Sign in to the admin panel with the password; a code may be required as the second factor',
    who: 'anyone',
    body: AdminPasswordForm,
    /** If a code is needed, no one is signed in yet, so `success` is false. */
    response: SuccessMessage.extend({ codeNeeded: z.boolean().optional() }),
    refusals: ['wrong-admin-password', 'admin-sign-in-slowed', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/auth/code': {
    summary: 'Sign in to the admin panel with a code of the second factor, after the password',
    who: 'anyone',
    body: AdminCodeForm,
    response: SuccessMessage.extend({ recoveryCodesLeft: z.int().optional() }),
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
  'POST /api/admin/auth/staff/password': {
    summary: 'Sign in to the panel as staff with email and password; a code always follows',
    who: 'anyone',
    body: StaffSignInForm,
    /** No one is signed in before the code, so `success` is false. */
    response: SuccessMessage.extend({ codeNeeded: z.boolean() }),
    refusals: ['wrong-staff-password', 'admin-sign-in-slowed', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/auth/staff/code': {
    summary: 'Sign in to the panel as staff with a code of the second factor, after the password',
    who: 'anyone',
    body: AdminCodeForm,
    response: SuccessMessage.extend({ recoveryCodesLeft: z.int().optional() }),
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
      'Create the options to sign in to the panel, or to prove one’s identity, with a passkey of the owner or of staff',
    who: 'anyone',
    response: PasskeyOptions,
    refusals: ['address-not-allowed'],
    rate: 'admin-passkey',
  },
  'POST /api/admin/auth/passkey': {
    summary: 'Sign in to the admin panel with a passkey of the owner or of staff, instead of password and code',
    who: 'anyone',
    body: z.object({ answer: PasskeyAnswer }),
    response: SuccessMessage,
    refusals: ['passkey-refused', 'address-not-allowed'],
    rate: 'admin-passkey',
  },
  'POST /api/admin/auth/replit': {
    summary: 'Start the owner’s sign-in with OpenID Connect and return the provider’s address',
    who: 'anyone',
    response: z.object({ success: z.boolean(), redirect: z.string().optional(), message: z.string() }),
    refusals: ['owner-sign-in-off', 'owner-sign-in-away', 'address-not-allowed'],
    rate: 'admin-password',
  },
  'POST /api/admin/logout': {
    summary: 'End the admin session',
    who: 'anyone',
    response: SuccessMessage,
    refusals: ['address-not-allowed'],
  },
} satisfies Operations;
