import * as z from 'zod/mini';
import { limits } from './limits.ts';

/** Rules and texts of specification 2, section 5. */

const loginEmail = z
  .string('Please enter both email and password')
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, 'Please enter both email and password'),
    z.maxLength(254, 'Please enter a valid email address'),
    z.regex(/@/, 'Please enter a valid email address'),
  );
const tooLong = `Please use at most ${limits.passwordMaximum} characters`;
const password6 = (empty: string) =>
  z
    .string(empty)
    .check(
      z.minLength(1, empty),
      z.minLength(limits.passwordMinimum, 'Password must be at least 6 characters long'),
      z.maxLength(limits.passwordMaximum, tooLong),
    );

export const SignInForm = z.object({
  email: loginEmail,
  password: z
    .string('Please enter both email and password')
    .check(z.minLength(1, 'Please enter both email and password'), z.maxLength(1024, tooLong)),
});

const allFields = 'Please fill in all fields';
const name = z
  .string(allFields)
  .check(z.trim(), z.minLength(1, allFields), z.maxLength(100, 'Please use at most 100 characters'));
const ownEmail = z
  .string(allFields)
  .check(z.trim(), z.minLength(1, allFields))
  .check(
    z.toLowerCase(),
    z.maxLength(254, 'Please enter a valid email address'),
    z.email('Please enter a valid email address'),
  );
export const SignUpBody = z.object({
  firstName: name,
  lastName: name,
  email: ownEmail,
  password: password6(allFields),
});
export const SignUpForm = z.extend(SignUpBody, { confirmPassword: z.string(allFields) }).check(
  z.refine((it) => it.password === it.confirmPassword, {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
  }),
);

export const ForgotPasswordForm = z.object({
  email: z
    .string('Please enter your email address')
    .check(
      z.trim(),
      z.toLowerCase(),
      z.minLength(1, 'Please enter your email address'),
      z.maxLength(254, 'Please enter a valid email address'),
      z.regex(/@/, 'Please enter a valid email address'),
    ),
});

export const ResetPasswordBody = z.object({
  token: z
    .string('Reset token is missing or invalid')
    .check(z.minLength(1, 'Reset token is missing or invalid'), z.maxLength(200, 'Reset token is missing or invalid')),
  password: password6('Please enter a new password'),
});
export const ResetPasswordForm = z
  .object({ password: password6('Please enter a new password'), confirmPassword: z.string() })
  .check(
    z.refine((it) => it.password === it.confirmPassword, {
      error: 'Passwords do not match',
      path: ['confirmPassword'],
    }),
  );

export const TokenBody = z.object({ token: z.string().check(z.maxLength(200)) });

const presentPassword = z
  .string('Please enter your password')
  .check(z.minLength(1, 'Please enter your password'), z.maxLength(1024, tooLong));
export const ProofForm = z.object({ password: presentPassword });

export const NameForm = z.object({ firstName: name, lastName: name });
export const ChangeEmailForm = z.object({ email: ownEmail });
export const ChangePasswordBody = z.object({
  currentPassword: presentPassword,
  password: password6('Please enter a new password'),
});
export const ChangePasswordForm = z.extend(ChangePasswordBody, { confirmPassword: z.string() }).check(
  z.refine((it) => it.password === it.confirmPassword, {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
  }),
);

export const PasskeyName = z
  .string('Please give it a name')
  .check(z.trim(), z.minLength(1, 'Please give it a name'), z.maxLength(60, 'Please use at most 60 characters'));
export const PasskeyNameForm = z.object({ name: PasskeyName });
const base64url = z.string().check(z.maxLength(16_000), z.regex(/^[\w-]*$/));
/** What a browser's passkey dialog answers; the library reads the rest. */
export const PasskeyAnswer = z.object({
  id: z.string().check(z.maxLength(1400), z.regex(/^[\w-]+$/)),
  rawId: base64url,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: z.optional(base64url),
    authenticatorData: z.optional(base64url),
    signature: z.optional(base64url),
    userHandle: z.optional(z.nullable(base64url)),
    transports: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))),
  }),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

const strongPassword = z.string('Password must be at least 8 characters').check(
  z.minLength(limits.registrationPasswordMinimum, 'Password must be at least 8 characters'),
  z.maxLength(limits.passwordMaximum, tooLong),
  z.refine((it) => /[A-Z]/.test(it) && /[a-z]/.test(it) && /\d/.test(it), {
    error: 'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  }),
);
export const CompleteRegistrationBody = z.object({
  password: strongPassword,
  /** From the mailed link; without it the checkout cookie speaks. */
  token: z.optional(z.string().check(z.maxLength(200))),
});
export const CompleteRegistrationForm = z
  .object({ password: strongPassword, confirmPassword: z.string() })
  .check(
    z.refine((it) => it.password === it.confirmPassword, { error: "Passwords don't match", path: ['confirmPassword'] }),
  );

const adminPassword = z
  .string('Please enter the admin password')
  .check(z.minLength(1, 'Please enter the admin password'), z.maxLength(1024, tooLong));
export const AdminPasswordForm = z.object({ password: adminPassword });

const codeWords = 'Please enter the six digits that your app shows, or a recovery code';
/** As people copy it, with spaces or dashes in it. */
const adminCode = z.string(codeWords).check(
  z.maxLength(100, codeWords),
  z.overwrite((it) => it.replace(/[\s-]/g, '').toLowerCase()),
  z.regex(/^(\d{6}|[a-z2-7]{16})$/, codeWords),
);
export const AdminCodeForm = z.object({ code: adminCode });
/** For what changes the second factor: who they are, once more. */
export const AdminProofForm = z.object({ password: adminPassword, code: adminCode });
export const AdminProofBody = z.object({ password: adminPassword, code: z.optional(adminCode) });
