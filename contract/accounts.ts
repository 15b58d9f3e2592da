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

/**
 * What a mailed link's page requires in this browser: only a click, a new password, or a sign-in to the account first.
 */
export const MailedLinkRequirement = z.enum(['click', 'password', 'sign-in']);
export type MailedLinkRequirement = z.infer<typeof MailedLinkRequirement>;

export const accounts = {
  'GET /api/auth/user': { summary: 'Read the signed-in customer', who: 'customer', response: Customer },
  'POST /api/auth/login': {
    summary: 'Sign in',
    who: 'anyone',
    body: forms.SignInForm,
    response: z.object({ customer: Customer, message: z.string() }),
    refusals: ['wrong-credentials', 'sign-in-slowed'],
    rate: 'sign-in',
  },
  'POST /api/auth/register': {
    summary: 'Create an account and sign in',
    who: 'anyone',
    body: forms.SignUpBody,
    response: z.object({ customer: Customer, message: z.string() }),
    refusals: ['email-taken', 'email-unconfirmed', 'common-password'],
    rate: 'register',
  },
  'POST /api/auth/logout': { summary: 'End the session of this browser', who: 'anyone', response: Message },
  'POST /api/auth/forgot-password': {
    summary: 'Email a password reset link if an account with this email address exists',
    who: 'anyone',
    body: forms.ForgotPasswordForm,
    response: Message,
    rate: 'forgot-password',
  },
  'POST /api/auth/reset-password': {
    summary: 'Set a new password with an emailed token',
    who: 'anyone',
    body: forms.ResetPasswordBody,
    response: Message,
    refusals: ['reset-link-invalid', 'common-password'],
    rate: 'reset-password',
  },
  'GET /api/auth/mailed-link': {
    summary: 'Read which input the page of an emailed link needs in this browser, and the email address of the link',
    who: 'anyone',
    query: z.object({
      purpose: z.enum(['email-confirmation', 'sign-in', 'email-change']),
      token: z.string().max(200),
    }),
    response: z.object({ email: z.string(), needs: MailedLinkRequirement }),
    refusals: ['confirmation-link-invalid', 'sign-in-link-invalid', 'email-change-link-invalid'],
    rate: 'token-validation',
  },
  'POST /api/auth/confirm-email': {
    summary:
      'Prove an email address with an emailed token, signed in to its account or with a new password, and add its guest orders',
    who: 'anyone',
    body: forms.MailedTokenBody,
    response: z.object({ message: z.string(), customer: Customer.nullable() }),
    refusals: ['confirmation-link-invalid', 'new-password-needed', 'common-password'],
    rate: 'token-validation',
  },
  'POST /api/auth/resend-confirmation': {
    summary: 'Email the confirmation link again',
    who: 'customer',
    response: Message,
    rate: 'resend-confirmation',
  },
  'GET /api/registration/context': {
    summary: 'Read the name and email of the buyer who registers after paying',
    who: 'anyone',
    query: z.object({ token: z.string().max(200).optional() }),
    response: z.object({
      success: z.boolean(),
      customer: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }).optional(),
      error: z.string().optional(),
    }),
    refusals: ['registration-expired', 'registration-done', 'email-unconfirmed'],
    rate: 'token-validation',
  },
  'POST /api/complete-registration': {
    summary: 'Create the account for a paid order with the buyer’s password, and sign in',
    who: 'anyone',
    body: forms.CompleteRegistrationBody,
    response: z.object({ success: z.boolean(), error: z.string().optional(), customer: Customer }),
    refusals: ['registration-expired', 'registration-done', 'email-taken', 'email-unconfirmed', 'common-password'],
    rate: 'register',
  },
} satisfies Operations;
