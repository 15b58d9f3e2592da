import type { Customer as CustomerView } from '#contract/accounts.ts';
import { mailConfirmationAgain, registerCustomer, signIn, type Customer } from '#shop/accounts/accounts.ts';
import { confirmEmail, readMailedLink, resetPassword } from '#shop/accounts/mailed-links.ts';
import { findPaidCheckoutId } from '#shop/checkout/carts.ts';
import { completeRegistration, readRegistrationContext } from '#shop/checkout/registration.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';
import { createBrowserSignIn } from './common/sign-in.ts';

export function registerAuthRoutes({ app, shop, jar }: HttpScope): void {
  const { db, jobs } = shop;
  const { remember, endPresentedSession } = createBrowserSignIn({ shop, jar });

  mountOperation(app, 'GET /api/auth/user', ({ customer }) => customerViewOf(customer));

  mountOperation(app, 'POST /api/auth/login', async ({ body, request, reply }) => {
    const { customer, session } = await signIn(shop, { ...body, browser: jar.read(request, 'browser') });
    await remember(request, reply, customer, session);
    return { customer: customerViewOf(customer), message: 'Welcome back!' };
  });

  mountOperation(app, 'POST /api/auth/register', async ({ body, request, reply }) => {
    const { customer, session } = await registerCustomer(shop, body);
    await remember(request, reply, customer, session);
    return {
      customer: customerViewOf(customer),
      message: 'Your account is ready. We’ve sent you an email to confirm your address.',
    };
  });

  mountOperation(app, 'POST /api/auth/logout', async ({ request, reply }) => {
    await endPresentedSession(request);
    jar.clear(reply, 'sid');
    return { message: 'You’re logged out.' };
  });

  mountOperation(app, 'POST /api/auth/forgot-password', async ({ body }) => {
    // A job looks up the account, so that response and response time do not show whether the account exists.
    await db.transaction((tx) => jobs.enqueue(tx, 'mail-password-reset', { email: body.email }));
    return { message: 'If an account exists, a password reset link has been sent to your email.' };
  });

  mountOperation(app, 'POST /api/auth/reset-password', async ({ body, request }) => {
    await resetPassword(shop, { ...body, sid: jar.read(request, 'sid') });
    return { message: 'Your password has been changed. Please sign in with the new one.' };
  });

  mountOperation(app, 'GET /api/auth/mailed-link', ({ query: { purpose, token }, request }) =>
    readMailedLink(shop, purpose, { token, sid: jar.read(request, 'sid') }),
  );

  mountOperation(app, 'POST /api/auth/confirm-email', async ({ body, request, reply }) => {
    const { customer, session } = await confirmEmail(shop, { ...body, sid: jar.read(request, 'sid') });
    if (session && customer) await remember(request, reply, customer, session);
    return { message: 'Thank you, your email address is confirmed.', customer: customer && customerViewOf(customer) };
  });

  mountOperation(app, 'POST /api/auth/resend-confirmation', async ({ customer }) => ({
    message: (await mailConfirmationAgain(shop, customer))
      ? `We have sent the link again to ${customer.email}.`
      : 'Your email address is already confirmed.',
  }));

  mountOperation(app, 'GET /api/registration/context', async ({ query, request }) => {
    const checkoutId = await findPaidCheckoutId(shop, jar.read(request, 'checkout'));
    return { success: true, customer: await readRegistrationContext(db, { checkoutId, token: query.token }) };
  });

  mountOperation(app, 'POST /api/complete-registration', async ({ body, request, reply }) => {
    const checkoutId = await findPaidCheckoutId(shop, jar.read(request, 'checkout'));
    const { customer, session } = await completeRegistration(shop, { ...body, checkoutId });
    await remember(request, reply, customer, session);
    return { success: true, customer: customerViewOf(customer) };
  });
}

export const customerViewOf = ({ id, email, firstName, lastName, emailProvenAt }: Customer): CustomerView => ({
  id,
  email,
  firstName,
  lastName,
  emailConfirmed: emailProvenAt !== null,
});
