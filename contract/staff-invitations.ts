import * as z from 'zod';
import { PasskeyOptions } from './account.ts';
import type { Operations } from './operation.ts';
import { roles } from './owner/areas.ts';
import { AcceptInvitationBody, InvitationToken } from './staff-forms.ts';

const refusals = ['staff-invitation-invalid', 'address-not-allowed'] as const;

/**
 * The calls of the page of an invitation. The token of the emailed link authorizes them. Nothing is accepted before the
 * invited person presses a button.
 */
export const staffInvitations = {
  'GET /api/staff-invitation': {
    summary: 'Read who an invitation to the panel is for',
    who: 'anyone',
    query: z.object({ token: z.string().max(200) }),
    response: z.object({ name: z.string(), email: z.string(), role: z.enum(roles), expiresAt: z.iso.datetime() }),
    refusals,
    rate: 'token-validation',
  },
  'POST /api/staff-invitation/passkey-options': {
    summary: 'Create the options with which a browser creates a passkey for the invited person',
    who: 'anyone',
    body: InvitationToken,
    response: PasskeyOptions,
    refusals,
    rate: 'token-validation',
  },
  'POST /api/staff-invitation/second-factor': {
    summary: 'Start the second factor of the invited person and return the secret for an authenticator app',
    who: 'anyone',
    body: InvitationToken,
    response: z.object({ secret: z.string(), address: z.string() }),
    refusals,
    rate: 'token-validation',
  },
  'POST /api/staff-invitation/accept': {
    summary: 'Accept an invitation with a passkey, or with a password and a code, and sign in to the panel',
    who: 'anyone',
    body: AcceptInvitationBody,
    response: z.object({
      success: z.boolean(),
      message: z.string(),
      /** Returned only once, and only with a password. */
      recoveryCodes: z.array(z.string()).optional(),
    }),
    refusals: [...refusals, 'passkey-not-added', 'second-factor-not-begun', 'code-wrong', 'common-password'],
    rate: 'admin-password',
  },
} satisfies Operations;
