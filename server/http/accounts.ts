import { setTimeout as wait } from 'node:timers/promises';
import type { Customer as CustomerView } from '#contract/accounts.ts';
import {
  confirmEmail,
  mailConfirmationAgain,
  register,
  resetPassword,
  signIn,
  type Customer,
} from '#shop/accounts/accounts.ts';
import { checkoutOf } from '#shop/checkout/carts.ts';
import { completeRegistration, registrationContext } from '#shop/checkout/registration.ts';
import type { Door } from './door/door.ts';
import { serve } from './door/serve.ts';
import { signingIn } from './door/sign-in.ts';

export function accountsHttp({ app, shop, jar }: Door): void {
  const { db, clock, jobs } = shop;
  const { remember, endBrought } = signingIn({ shop, jar });

  serve(app, 'GET /api/auth/user', ({ customer }) => viewOf(customer));

  serve(app, 'POST /api/auth/login', async ({ body, request, reply }) => {
    const scope = { db, clock, wait: (ms: number) => wait(ms) };
    const { customer, session } = await signIn(scope, { ...body, address: request.ip });
    await remember(request, reply, session);
    return { customer: viewOf(customer), message: 'Welcome back!' };
  });

  serve(app, 'POST /api/auth/register', async ({ body, request, reply }) => {
    const { customer, session } = await register(shop, body);
    await remember(request, reply, session);
    return {
      customer: viewOf(customer),
      message: 'Your account is ready. We have sent you an email to confirm your address.',
    };
  });

  serve(app, 'POST /api/auth/logout', async ({ request, reply }) => {
    await endBrought(request);
    jar.clear(reply, 'sid');
    return { message: 'You have been logged out.' };
  });

  serve(app, 'POST /api/auth/forgot-password', async ({ body }) => {
    // Looked up by a job: the answer says and takes the same for everyone.
    await db.transaction((tx) => jobs.enqueue(tx, 'mail-password-reset', { email: body.email }));
    return { message: 'If an account exists, a password reset link has been sent to your email.' };
  });

  serve(app, 'POST /api/auth/reset-password', async ({ body }) => {
    await resetPassword(shop, body);
    return { message: 'Your password has been changed. Please sign in with the new one.' };
  });

  serve(app, 'POST /api/auth/confirm-email', async ({ body }) => {
    await confirmEmail(shop, body.token);
    return { message: 'Thank you, your email address is confirmed.' };
  });

  serve(app, 'POST /api/auth/resend-confirmation', async ({ customer }) => ({
    message: (await mailConfirmationAgain(shop, customer))
      ? `We have sent the link again to ${customer.email}.`
      : 'Your email address is confirmed already.',
  }));

  serve(app, 'GET /api/registration/context', async ({ query, request }) => {
    const checkoutId = await checkoutOf(shop, jar.read(request, 'checkout'));
    return { success: true, customer: await registrationContext(db, { checkoutId, token: query.token }) };
  });

  serve(app, 'POST /api/complete-registration', async ({ body, request, reply }) => {
    const checkoutId = await checkoutOf(shop, jar.read(request, 'checkout'));
    const { customer, session } = await completeRegistration(shop, { ...body, checkoutId });
    await remember(request, reply, session);
    return { success: true, customer: viewOf(customer) };
  });
}

export const viewOf = ({ id, email, firstName, lastName, emailConfirmedAt }: Customer): CustomerView => ({
  id,
  email,
  firstName,
  lastName,
  emailConfirmed: emailConfirmedAt !== null,
});
