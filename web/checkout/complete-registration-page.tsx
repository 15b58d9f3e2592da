import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useHydrated } from '../ui/use-hydrated.ts';
import { CircleCheck, UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { CompleteRegistrationForm } from '#contract/account-forms.ts';
import type { Customer } from '#contract/accounts.ts';
import { rememberCustomer, useGoTo } from '../account/customer.ts';
import { findNextPageAfterRegistration } from '../account/next-page.ts';
import { PasswordField } from '../account/sign-in/password-field.tsx';
import { query, send } from '../data/api.ts';
import { isRefusal } from '../data/error-text.ts';
import { paths } from '../paths.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { Form, SubmitButton, useShopForm } from '../ui/form.tsx';
import { useHeadingFocus } from '../ui/heading-focus.ts';
import { Link } from '../ui/link.tsx';
import { Card } from '../ui/surfaces.tsx';
import { toast } from '../ui/toast.ts';
import type { Buyer, BuyerResult } from './find-buyer.ts';
import { PasswordRules } from './password-rules.tsx';
import { readPaidOrder, rememberRegistration } from '../data/payment-memory.ts';

/** How long the success message is shown before the next page opens (specification 2, section 4). */
const goOnAfterMs = 1500;

/** /complete-registration: a guest who has paid sets a password. This creates the account, and photos can be added. */
export function CompleteRegistrationPage({ token, found }: { token: string | undefined; found: BuyerResult }) {
  const [isDone, setDone] = useState(false);
  if (isDone) return <RegistrationDone />;
  if ('isDone' in found) return <AlreadyRegistered />;
  if ('isUnconfirmed' in found) return <EmailUnconfirmed />;
  if ('words' in found) return <CannotRegister {...found} />;
  return (
    <section className="wrap flex justify-center py-10 sm:py-16">
      <div className="w-full max-w-xl">
        <div className="text-center">
          <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
          <h1 className="title-2 mt-4">Thank you, {found.buyer.firstName}!</h1>
          <p className="lede mt-3">
            Your payment was successful. Set a password to keep your photos and videos private.
          </p>
        </div>
        <Card className="mt-8 sm:mt-10">
          <BuyerLines buyer={found.buyer} />
          <PasswordForm token={token} buyer={found.buyer} onDone={() => setDone(true)} />
        </Card>
        <OrderLink />
      </div>
    </section>
  );
}

function BuyerLines({ buyer }: { buyer: Buyer }) {
  const buyerRows = [
    ['First name', buyer.firstName],
    ['Last name', buyer.lastName],
    ['Email', buyer.email],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-4 rounded-lg bg-linen p-4 sm:grid-cols-2 sm:p-5">
      {buyerRows.map(([label, value]) => (
        <div key={label} className={label === 'Email' ? 'min-w-0 sm:col-span-2' : 'min-w-0'}>
          <dt className="text-[0.9375rem] text-muted">{label}</dt>
          <dd className="font-semibold break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PasswordForm({ token, buyer, onDone }: { token: string | undefined; buyer: Buyer; onDone: () => void }) {
  const finishRegistration = useFinishRegistration();
  const [isTaken, setTaken] = useState(false);
  const form = useShopForm(CompleteRegistrationForm, {
    onSubmit: async ({ password }) => {
      setTaken(false);
      const registrationResponse = await send('POST /api/complete-registration', {
        body: { password, ...(token && { token }) },
      });
      if (!registrationResponse.success) throw new RegistrationError(registrationResponse.error);
      onDone();
      void finishRegistration(registrationResponse.customer);
    },
    fallbackText: 'Failed to create account',
    onProblem: (words, error) => {
      setTaken(isRefusal(error, 'email-taken') || isRefusal(error, 'registration-done'));
      const failureText = error instanceof RegistrationError ? error.message : words;
      toast({ title: 'Registration Failed', description: failureText, destructive: true });
    },
  });
  return (
    <Form form={form} label="Complete registration" className="mt-7 space-y-6">
      {/* A hidden field that tells password managers the account of this password. */}
      <input type="text" name="username" autoComplete="username" value={buyer.email} readOnly hidden />
      <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />
      <PasswordRules password={form.watch('password') ?? ''} />
      <PasswordField form={form} name="confirmPassword" label="Confirm password" autoComplete="new-password" />
      {/* The toast disappears after five seconds. This text stays until the next attempt. */}
      {form.problem && <p className="rounded-lg bg-bad-soft p-4 font-medium text-bad">{form.problem}</p>}
      {isTaken && (
        <p className="text-center">
          <Link to={paths.signIn} className="link inline-flex min-h-11 items-center">
            Sign in to your account
          </Link>
        </p>
      )}
      <SubmitButton form={form} wide size="large" busyLabel="Creating your account...">
        Complete registration
      </SubmitButton>
    </Form>
  );
}

class RegistrationError extends Error {
  constructor(words: string | undefined) {
    super(words ?? 'Failed to create account');
  }
}

/** Returns a function to call after the registration. It shows the success message, then opens the customer's page. */
function useFinishRegistration() {
  const queryClient = useQueryClient();
  const goTo = useGoTo();
  return async (customer: Customer) => {
    rememberCustomer(queryClient, customer);
    rememberRegistration();
    const [next] = await Promise.all([
      queryClient
        .fetchQuery(query('/api/customer/frames'))
        .then(({ frameInfo }) => findNextPageAfterRegistration(frameInfo))
        .catch(() => findNextPageAfterRegistration(undefined)),
      new Promise((resolve) => setTimeout(resolve, goOnAfterMs)),
    ]);
    goTo(next, { replace: true });
  };
}

function RegistrationDone() {
  const heading = useHeadingFocus();
  return (
    <section className="wrap flex justify-center py-16 sm:py-24">
      <Card role="status" className="w-full max-w-lg px-6 py-12 text-center sm:py-14">
        <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
        <h1 ref={heading} tabIndex={-1} className="title-3 mt-5 outline-none">
          Your account is ready
        </h1>
        <p className="mt-3 text-muted">We’re taking you to your photos.</p>
      </Card>
    </section>
  );
}

/** Shown if the account already exists, because the receipt's link was opened again. Leads to the sign-in page. */
function AlreadyRegistered() {
  return (
    <section className="wrap flex justify-center py-16 sm:py-24">
      <Card className="w-full max-w-lg px-6 py-12 text-center sm:py-14">
        <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
        <h1 className="title-3 mt-5">Your account is ready</h1>
        <p className="mt-3 text-muted">You’ll find your order and your photos in your account.</p>
        <LinkButton to={paths.signIn} className="mt-7">
          Go to my photos
        </LinkButton>
      </Card>
    </section>
  );
}

/** A link to the order. It is shown only in the tab that paid, because only that tab has the order-access token. */
function OrderLink() {
  const session = useHydrated() ? readPaidOrder()?.session : undefined;
  return (
    <p className="mt-6 text-center text-[0.9375rem] text-muted">
      {session ? (
        <>
          Not now?{' '}
          <Link to={paths.purchaseSuccess(session)} className="link">
            View your order
          </Link>{' '}
          and finish later from the link in your receipt.
        </>
      ) : (
        'Not now? You can finish at any time from the link in your receipt.'
      )}
    </p>
  );
}

/**
 * Shown if there is an account with the order's email that is not confirmed. The link in the receipt confirms the
 * email, because only the owner of the email receives it.
 */
function EmailUnconfirmed() {
  return (
    <section className="wrap flex justify-center py-16 sm:py-24">
      <Card className="w-full max-w-xl px-6 py-12 text-center sm:px-12 sm:py-14">
        <CircleCheck aria-hidden className="mx-auto size-12 text-good" strokeWidth={1.5} />
        <h1 className="title-3 mt-5">Thank you! Your order is paid</h1>
        <p className="mt-3">
          There’s already an account with this email address, but the address has never been confirmed. Please open the
          link in your receipt to confirm it and set your password. You’ll find your new order in the account.
        </p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          <LinkButton to={paths.signIn}>Sign In</LinkButton>
          <LinkButton look="secondary" to={paths.support}>
            Contact support
          </LinkButton>
        </div>
        <OrderLink />
      </Card>
    </section>
  );
}

function CannotRegister({ words, isOver }: { words: string; isOver: boolean }) {
  const router = useRouter();
  return (
    <section className="wrap flex justify-center py-16 sm:py-24">
      <Card role="alert" className="w-full max-w-xl px-6 py-12 text-center sm:px-12 sm:py-14">
        <UserRoundX aria-hidden className="mx-auto size-12 text-bad" strokeWidth={1.5} />
        <h1 className="title-3 mt-5">Registration Error</h1>
        <p className="mt-3 font-medium">{words}</p>
        <p className="mt-2 text-muted">
          {isOver
            ? 'Please open the link in your receipt, or sign in if you have an account. Your order is safe either way.'
            : 'Your order is safe. Please try again in a moment.'}
        </p>
        <div className="mt-7 flex flex-wrap justify-center gap-3">
          {isOver ? (
            <LinkButton to={paths.signIn}>Sign In</LinkButton>
          ) : (
            <Button onClick={() => void router.invalidate()}>Try again</Button>
          )}
          <LinkButton look="secondary" to={paths.support}>
            Contact support
          </LinkButton>
        </div>
      </Card>
    </section>
  );
}
