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
export const SignUpBody = z.object({
  firstName: name,
  lastName: name,
  email: z
    .string(allFields)
    .check(z.trim(), z.minLength(1, allFields))
    .check(
      z.toLowerCase(),
      z.maxLength(254, 'Please enter a valid email address'),
      z.email('Please enter a valid email address'),
    ),
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

export const AdminPasswordForm = z.object({
  password: z
    .string('Please enter the admin password')
    .check(z.minLength(1, 'Please enter the admin password'), z.maxLength(1024, tooLong)),
});
