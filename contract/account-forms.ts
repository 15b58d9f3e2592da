import * as z from 'zod/mini';
import { requiredEmailField, looseEmailField, requiredTextField } from './fields.ts';
import { limits } from './limits.ts';
import { tidyCode } from './tidy.ts';

/** Rules and texts of specification 2, section 5. */

const passwordTooLongMessage = `Please use at most ${limits.passwordMaximum} characters`;
const passwordField = (empty: string) =>
  z
    .string(empty)
    .check(
      z.minLength(1, empty),
      z.minLength(limits.passwordMinimum, 'Password must be at least 6 characters long'),
      z.maxLength(limits.passwordMaximum, passwordTooLongMessage),
    );

export const SignInForm = z.object({
  email: looseEmailField('Please enter both email and password'),
  password: z
    .string('Please enter both email and password')
    .check(z.minLength(1, 'Please enter both email and password'), z.maxLength(1024, passwordTooLongMessage)),
});

const missingFieldsMessage = 'Please fill in all fields';
const name = requiredTextField(missingFieldsMessage, 100);
const emailField = requiredEmailField(missingFieldsMessage);
export const SignUpBody = z.object({
  firstName: name,
  lastName: name,
  email: emailField,
  password: passwordField(missingFieldsMessage),
});
export const SignUpForm = z.extend(SignUpBody, { confirmPassword: z.string(missingFieldsMessage) }).check(
  z.refine((it) => it.password === it.confirmPassword, {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
  }),
);

export const ForgotPasswordForm = z.object({ email: looseEmailField('Please enter your email address') });

export const ResetPasswordBody = z.object({
  token: z
    .string('Reset token is missing or invalid')
    .check(z.minLength(1, 'Reset token is missing or invalid'), z.maxLength(200, 'Reset token is missing or invalid')),
  password: passwordField('Please enter a new password'),
});
export const ResetPasswordForm = z
  .object({ password: passwordField('Please enter a new password'), confirmPassword: z.string() })
  .check(
    z.refine((it) => it.password === it.confirmPassword, {
      error: 'Passwords do not match',
      path: ['confirmPassword'],
    }),
  );

/**
 * The request that a mailed link's page sends after the user clicks its button. It includes a new password if the page
 * asks for one.
 */
export const MailedTokenBody = z.object({
  token: z.string().check(z.maxLength(200)),
  password: z.optional(passwordField('Please enter a new password')),
});
export const TokenBody = z.object({ token: z.string().check(z.maxLength(200)) });

export const currentPasswordField = z
  .string('Please enter your password')
  .check(z.minLength(1, 'Please enter your password'), z.maxLength(1024, passwordTooLongMessage));
export const PasswordProofForm = z.object({ password: currentPasswordField });

export const NameForm = z.object({ firstName: name, lastName: name });
export const ChangeEmailForm = z.object({ email: emailField });
export const ChangePasswordBody = z.object({
  currentPassword: currentPasswordField,
  password: passwordField('Please enter a new password'),
});
export const ChangePasswordForm = z.extend(ChangePasswordBody, { confirmPassword: z.string() }).check(
  z.refine((it) => it.password === it.confirmPassword, {
    error: 'Passwords do not match',
    path: ['confirmPassword'],
  }),
);

export const PasskeyName = requiredTextField('Please enter a name', 60);
export const PasskeyNameForm = z.object({ name: PasskeyName });
const base64urlField = z.string().check(z.maxLength(16_000), z.regex(/^[\w-]*$/));
/** The response of a browser's passkey dialog. The passkey library validates the remaining fields. */
export const PasskeyAnswer = z.object({
  id: z.string().check(z.maxLength(1400), z.regex(/^[\w-]+$/)),
  rawId: base64urlField,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64urlField,
    attestationObject: z.optional(base64urlField),
    authenticatorData: z.optional(base64urlField),
    signature: z.optional(base64urlField),
    userHandle: z.optional(z.nullable(base64urlField)),
    transports: z.optional(z.array(z.string().check(z.maxLength(40))).check(z.maxLength(10))),
  }),
});
export type PasskeyAnswer = z.infer<typeof PasskeyAnswer>;

export const strongPassword = z.string('Password must be at least 8 characters').check(
  z.minLength(limits.registrationPasswordMinimum, 'Password must be at least 8 characters'),
  z.maxLength(limits.passwordMaximum, passwordTooLongMessage),
  z.refine((it) => /[A-Z]/.test(it) && /[a-z]/.test(it) && /\d/.test(it), {
    error: 'Password must contain at least one uppercase letter, one lowercase letter, and one number',
  }),
);
export const CompleteRegistrationBody = z.object({
  password: strongPassword,
  /** The token of the mailed link. Without it, the checkout cookie identifies the customer. */
  token: z.optional(z.string().check(z.maxLength(200))),
});
export const CompleteRegistrationForm = z
  .object({ password: strongPassword, confirmPassword: z.string() })
  .check(
    z.refine((it) => it.password === it.confirmPassword, { error: "Passwords don't match", path: ['confirmPassword'] }),
  );

const adminPassword = z
  .string('Please enter the admin password')
  .check(z.minLength(1, 'Please enter the admin password'), z.maxLength(1024, passwordTooLongMessage));
export const AdminPasswordForm = z.object({ password: adminPassword });

const codeMessage = 'Please enter the six digits your app shows, or a recovery code';
/** Codes are often copied with spaces or dashes, so these are removed. */
export const adminCode = z.string(codeMessage).check(
  z.maxLength(100, codeMessage),
  z.overwrite((it) => tidyCode(it).replaceAll('-', '').toLowerCase()),
  z.regex(/^(\d{6}|[a-z2-7]{16})$/, codeMessage),
);
export const AdminCodeForm = z.object({ code: adminCode });
/** The owner proves their identity again with exactly one of these fields. */
export const StepUpBody = z
  .object({
    password: z.optional(adminPassword),
    code: z.optional(adminCode),
    /** The passkey's response to a sign-in challenge. */
    answer: z.optional(PasskeyAnswer),
  })
  .check(
    z.refine((it) => Object.values(it).filter((proof) => proof !== undefined).length === 1, {
      error: 'Please send one of these: a password, a code or a passkey response',
    }),
  );
/** Changes to the second factor require the password and a code again. */
export const AdminProofForm = z.object({ password: adminPassword, code: adminCode });
export const AdminProofBody = z.object({ password: adminPassword, code: z.optional(adminCode) });
