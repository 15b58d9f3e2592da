import * as z from 'zod';
import { PasskeyOptions, PasskeyView, SessionView } from '#contract/account.ts';
import * as forms from '#contract/account-forms.ts';
import type { Operations } from '#contract/operation.ts';

/** How the owner signed in. */
export const ownerSignInMethods = [
  'password',
  'password-and-code',
  'password-and-recovery-code',
  'passkey',
  'openid',
  'key',
] as const;
export type OwnerSignInMethod = (typeof ownerSignInMethods)[number];

export const OwnersSession = SessionView.extend({
  /** How the session was signed in. Null for sessions that started before this was recorded. */
  by: z.enum(ownerSignInMethods).nullable(),
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
      /** True for staff: they cannot turn it off. */
      isRequired: z.boolean(),
    }),
    /** False for a member of the staff who signs in with a passkey only. */
    hasPassword: z.boolean(),
    /** Oldest first. */
    passkeys: z.array(PasskeyView),
  })
  .meta({ id: 'Security' });
export type Security = z.infer<typeof Security>;

/** How the owner can prove their identity: always with the password, and with a code or a passkey if one is set up. */
export const identityProofMethods = ['password', 'code', 'passkey'] as const;
export type IdentityProof = (typeof identityProofMethods)[number];

/** Refusals of too many wrong proofs of identity. */
const rateLimitRefusals = ['admin-sign-in-slowed', 'code-locked', 'codes-used-up', 'recovery-codes-slowed'] as const;

const Message = z.object({ message: z.string() });
const PasskeyId = z.object({ id: z.string().max(1400) });
/** New recovery codes. They are returned only once. */
const RecoveryCodes = z.object({ recoveryCodes: z.array(z.string()), message: z.string() });

export const ownerSecurity = {
  'GET /api/admin/step-up': {
    summary: 'Check whether the owner’s recent proof of identity is valid, and list the possible proofs',
    who: 'admin',
    area: 'own',
    response: z.object({
      /** True if the owner has proved their identity, and the proof is valid for at least half a minute more. */
      isProved: z.boolean(),
      proofs: z.array(z.enum(identityProofMethods)),
    }),
  },
  'POST /api/admin/step-up': {
    summary: 'Prove the owner’s identity again, for the calls of the next ten minutes that need it',
    who: 'admin',
    area: 'own',
    body: forms.StepUpBody,
    response: Message,
    refusals: ['password-wrong', 'code-wrong', ...rateLimitRefusals, 'second-factor-off', 'passkey-wrong'],
    rate: 'prove-again',
  },
  'GET /api/admin/security': {
    summary: 'Read one’s own sessions, second factor and passkeys',
    who: 'admin',
    area: 'own',
    response: Security,
  },
  'DELETE /api/admin/sessions/:id': {
    summary: 'Sign out one of the owner’s browsers',
    who: 'admin',
    area: 'own',
    params: z.object({ id: z.string().max(200) }),
    response: Message,
    refusals: ['not-found'],
  },
  'POST /api/admin/sessions/end-others': {
    summary: 'Sign out all of the owner’s browsers except this one',
    who: 'admin',
    area: 'own',
    response: Message,
  },
  'POST /api/admin/passkeys/options': {
    summary: 'Create the options with which a browser creates a passkey for the owner',
    who: 'admin',
    area: 'own',
    response: PasskeyOptions,
    refusals: ['too-many-passkeys'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'POST /api/admin/passkeys': {
    summary: 'Add a passkey that a browser has created, to sign in to the panel',
    who: 'admin',
    area: 'own',
    body: z.object({ name: forms.PasskeyName, answer: forms.PasskeyAnswer }),
    response: PasskeyView,
    refusals: ['passkey-not-added', 'too-many-passkeys'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'PUT /api/admin/passkeys/:id': {
    summary: 'Rename a passkey of the owner',
    who: 'admin',
    area: 'own',
    params: PasskeyId,
    body: forms.PasskeyNameForm,
    response: PasskeyView,
    refusals: ['not-found'],
    stepUp: 'person',
  },
  'DELETE /api/admin/passkeys/:id': {
    summary: 'Remove a passkey, so that it can no longer sign in',
    who: 'admin',
    area: 'own',
    params: PasskeyId,
    response: Message,
    refusals: ['not-found', 'last-way-in'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'POST /api/admin/second-factor': {
    summary: 'Start the setup of the second factor and return the secret for an authenticator app',
    who: 'admin',
    area: 'own',
    body: forms.AdminPasswordForm,
    response: z.object({ secret: z.string(), address: z.string() }),
    refusals: ['password-wrong', 'admin-sign-in-slowed', 'second-factor-on'],
    rate: 'prove-again',
    stepUp: 'in-body',
  },
  'POST /api/admin/second-factor/confirm': {
    summary: 'Switch on the second factor with the first code of the app',
    who: 'admin',
    area: 'own',
    body: forms.AdminCodeForm,
    response: RecoveryCodes,
    refusals: ['second-factor-not-begun', 'second-factor-on', 'code-wrong'],
    rate: 'prove-again',
    stepUp: 'person',
  },
  'POST /api/admin/second-factor/recovery-codes': {
    summary: 'Create new recovery codes and end the old ones',
    who: 'admin',
    area: 'own',
    body: forms.AdminProofBody,
    response: RecoveryCodes,
    refusals: ['password-wrong', 'code-wrong', ...rateLimitRefusals, 'second-factor-off'],
    rate: 'prove-again',
    stepUp: 'in-body',
  },
  'POST /api/admin/second-factor/off': {
    summary: 'Switch off the second factor',
    who: 'admin',
    area: 'own',
    body: forms.AdminProofBody,
    response: Message,
    refusals: ['password-wrong', 'code-wrong', ...rateLimitRefusals, 'second-factor-off', 'second-step-required'],
    rate: 'prove-again',
    stepUp: 'in-body',
  },
} satisfies Operations;
