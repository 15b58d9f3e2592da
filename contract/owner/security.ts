import * as z from 'zod';
import { SessionView } from '#contract/account.ts';
import * as forms from '#contract/account-forms.ts';
import type { Operations } from '#contract/operation.ts';

/** How the owner got in. */
export const ownersWays = ['password', 'password-and-code', 'password-and-recovery-code', 'openid', 'key'] as const;
export type OwnersWay = (typeof ownersWays)[number];

export const OwnersSession = SessionView.extend({
  /** Null for one that began before this was written down. */
  by: z.enum(ownersWays).nullable(),
}).meta({ id: 'OwnersSession' });
export type OwnersSession = z.infer<typeof OwnersSession>;

const Security = z
  .object({
    sessions: z.array(OwnersSession),
    secondFactor: z.object({
      /** Null: it is off. */
      since: z.string().nullable(),
      recoveryCodesLeft: z.int(),
      /** By the settings: false where the password alone signs in, whatever stands above. */
      isAsked: z.boolean(),
    }),
  })
  .meta({ id: 'Security' });
export type Security = z.infer<typeof Security>;

const Message = z.object({ message: z.string() });
/** Shown this once. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()), message: z.string() });

export const ownerSecurity = {
  'GET /api/admin/security': {
    summary: 'Where the owner is signed in, and what it takes to',
    who: 'admin',
    response: Security,
  },
  'DELETE /api/admin/sessions/:id': {
    summary: 'Sign one of the owner’s browsers out',
    who: 'admin',
    params: z.object({ id: z.string().max(200) }),
    response: Message,
    refusals: ['not-found'],
  },
  'POST /api/admin/sessions/end-others': {
    summary: 'Sign every browser of the owner’s out but this one',
    who: 'admin',
    response: Message,
  },
  'POST /api/admin/second-factor': {
    summary: 'Begin to set up the second factor: the secret for an authenticator app',
    who: 'admin',
    body: forms.AdminPasswordForm,
    response: z.object({ secret: z.string(), address: z.string() }),
    refusals: ['password-wrong', 'second-factor-on'],
    rate: 'prove-again',
  },
  'POST /api/admin/second-factor/confirm': {
    summary: 'Switch the second factor on, with the first code of the app',
    who: 'admin',
    body: forms.AdminCodeForm,
    response: RecoveryCodes,
    refusals: ['second-factor-not-begun', 'second-factor-on', 'code-wrong'],
    rate: 'prove-again',
  },
  'POST /api/admin/second-factor/recovery-codes': {
    summary: 'Make new recovery codes; the old ones end',
    who: 'admin',
    body: forms.AdminProofBody,
    response: RecoveryCodes,
    refusals: ['password-wrong', 'code-wrong', 'second-factor-off'],
    rate: 'prove-again',
  },
  'POST /api/admin/second-factor/off': {
    summary: 'Switch the second factor off',
    who: 'admin',
    body: forms.AdminProofBody,
    response: Message,
    refusals: ['password-wrong', 'code-wrong', 'second-factor-off'],
    rate: 'prove-again',
  },
} satisfies Operations;
