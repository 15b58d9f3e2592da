import * as z from 'zod';
import * as forms from './account-forms.ts';
import type { Operations } from './operation.ts';

export const Customer = z
  .object({
    id: z.string(),
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    emailConfirmed: z.boolean(),
  })
  .meta({ id: 'Customer' });
export type Customer = z.infer<typeof Customer>;

const Message = z.object({ message: z.string() });

export const accounts = {
  'GET /api/auth/user': { summary: 'The signed-in customer', who: 'customer', response: Customer },
  'POST /api/auth/login': {
    summary: 'Sign in',
    who: 'anyone',
    body: forms.SignInForm,
    response: z.object({ customer: Customer, message: z.string() }),
    refusals: ['wrong-credentials'],
    rate: 'sign-in',
  },
  'POST /api/auth/register': {
    summary: 'Make an account',
    who: 'anyone',
    body: forms.SignUpBody,
    response: z.object({ customer: Customer, message: z.string() }),
    refusals: ['email-taken', 'common-password'],
    rate: 'register',
  },
  'POST /api/auth/logout': { summary: 'End this session', who: 'anyone', response: Message },
  'POST /api/auth/forgot-password': {
    summary: 'Mail a reset link, if there is such an account',
    who: 'anyone',
    body: forms.ForgotPasswordForm,
    response: Message,
    rate: 'forgot-password',
  },
  'POST /api/auth/reset-password': {
    summary: 'Set a new password with a mailed token',
    who: 'anyone',
    body: forms.ResetPasswordBody,
    response: Message,
    refusals: ['reset-link-invalid', 'common-password'],
    rate: 'reset-password',
  },
  'POST /api/auth/confirm-email': {
    summary: 'Confirm an e-mail with a mailed token; guest orders of it join the account',
    who: 'anyone',
    body: z.object({ token: z.string().max(200) }),
    response: Message,
    refusals: ['confirmation-link-invalid'],
    rate: 'token-validation',
  },
  'POST /api/auth/resend-confirmation': {
    summary: 'Mail the confirmation link again',
    who: 'customer',
    response: Message,
    rate: 'resend-confirmation',
  },
  'GET /api/registration/context': {
    summary: 'Who is about to finish registration after paying',
    who: 'anyone',
    query: z.object({ token: z.string().max(200).optional() }),
    response: z.object({
      success: z.boolean(),
      customer: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }).optional(),
      error: z.string().optional(),
    }),
    refusals: ['registration-expired', 'registration-done'],
    rate: 'token-validation',
  },
  'POST /api/complete-registration': {
    summary: 'Set the password of the account a payment needs',
    who: 'anyone',
    body: forms.CompleteRegistrationBody,
    response: z.object({ success: z.boolean(), error: z.string().optional(), customer: Customer }),
    refusals: ['registration-expired', 'registration-done', 'email-taken', 'common-password'],
    rate: 'register',
  },
} satisfies Operations;
