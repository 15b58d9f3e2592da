import * as z from 'zod';
import { PasskeyOptions, PasskeyView, SessionView } from '#contract/account.ts';
import * as forms from '#contract/account-forms.ts';
import type { Operations } from '#contract/operation.ts';

/** How the owner signed in. */
export const ownersWays = [
  'password',
  'password-and-code',
  'password-and-recovery-code',
  'passkey',
  'openid',
  'key',
] as const;
export type OwnersWay = (typeof ownersWays)[number];

export const OwnersSession = SessionView.extend({
  /** How the session was signed in. Null for sessions that started before this was recorded. */
  by: z.enum(ownersWays).nullable(),
}).meta({ id: 'OwnersSession' });
export type OwnersSession = z.infer<typeof OwnersSession>;

const Security = z
  .object({
    sessions: z.array(OwnersSession),
    secondFactor: z.object({
      /** When the second factor was turned on. Null if it is off. */
      since: z.string().nullable(),
      recoveryCodesLeft: z.int(),
      /** False if the settings let the owner sign in with the password alone, even if a second factor is set up. */
      isAsked: z.boolean(),
    }),
    /** Oldest first. */
    passkeys: z.array(PasskeyView),
  })
  .meta({ id: 'Security' });
export type Security = z.infer<typeof Security>;

/** How the owner can prove their identity: always with the password, and with a code or a passkey if one is set up. */
export const proofs = ['password', 'code', 'passkey'] as const;
export type Proof = (typeof proofs)[number];

/** Refusals of too many wrong proofs of identity. */
const slowed = ['admin-sign-in-slowed', 'code-locked', 'codes-used-up', 'recovery-codes-slowed'] as const;

const Message = z.object({ message: z.string() });
const PasskeyId = z.object({ id: z.string().max(1400) });
/** New recovery codes. They are returned only once. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()), message: z.string() });

export const ownerSecurity = {
  'GET /api/admin/step-up': {
    summary: 'Whether calls that need a recent proof are answered now, and what the owner can prove it with',
    who: 'admin',
    response: z.object({
      /** True if the owner has proved their identity, and the proof is valid for at least half a minute more. */
      isProved: z.boolean(),
      proofs: z.array(z.enum(proofs)),
    }),
  },
  'POST /api/admin/step-up': {
    summary: 'Prove once more who is signed in, for the calls of the next ten minutes that need it',
    who: 'admin',
    body: forms.StepUpBody,
    response: Message,
    refusals: ['password-wrong', 'code-wrong', ...slowed, 'second-factor-off', 'passkey-wrong'],
    rate: 'prove-again',
  },
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
  'POST /api/admin/passkeys/options': {
    summary: 'What a browser needs to make a passkey for the owner',
    who: 'admin',
    response: PasskeyOptions,
    refusals: ['too-many-passkeys'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'POST /api/admin/passkeys': {
    summary: 'Add the passkey that a browser has made: it signs in to the panel',
    who: 'admin',
    body: z.object({ name: forms.PasskeyName, answer: forms.PasskeyAnswer }),
    response: PasskeyView,
    refusals: ['passkey-not-added', 'too-many-passkeys'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'PUT /api/admin/passkeys/:id': {
    summary: 'Name a passkey of the owner’s',
    who: 'admin',
    params: PasskeyId,
    body: forms.PasskeyNameForm,
    response: PasskeyView,
    refusals: ['not-found'],
    stepUp: 'person',
  },
  'DELETE /api/admin/passkeys/:id': {
    summary: 'Remove a passkey of the owner’s: it signs in no more',
    who: 'admin',
    params: PasskeyId,
    response: Message,
    refusals: ['not-found'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'POST /api/admin/second-factor': {
    summary: 'Begin to set up the second factor: the secret for an authenticator app',
    who: 'admin',
    body: forms.AdminPasswordForm,
    response: z.object({ secret: z.string(), address: z.string() }),
    refusals: ['password-wrong', 'admin-sign-in-slowed', 'second-factor-on'],
    rate: 'prove-again',
    stepUp: 'in-body',
  },
  'POST /api/admin/second-factor/confirm': {
    summary: 'Switch the second factor on, with the first code of the app',
    who: 'admin',
    body: forms.AdminCodeForm,
    response: RecoveryCodes,
    refusals: ['second-factor-not-begun', 'second-factor-on', 'code-wrong'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'POST /api/admin/second-factor/recovery-codes': {
    summary: 'Make new recovery codes; the old ones end',
    who: 'admin',
    body: forms.AdminProofBody,
    response: RecoveryCodes,
    refusals: ['password-wrong', 'code-wrong', ...slowed, 'second-factor-off'],
    rate: 'prove-again',
    stepUp: 'in-body',
  },
  'POST /api/admin/second-factor/off': {
    summary: 'Switch the second factor off',
    who: 'admin',
    body: forms.AdminProofBody,
    response: Message,
    refusals: ['password-wrong', 'code-wrong', ...slowed, 'second-factor-off'],
    rate: 'prove-again',
    stepUp: 'in-body',
  },
} satisfies Operations;
