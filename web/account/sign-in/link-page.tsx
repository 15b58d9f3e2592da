import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { ForgotPasswordForm } from '#contract/account-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { restoreReturnPath, shareReturnPathWithTabs, takeReturnPath } from '../return-path.ts';
import { AuthLayout } from './auth-layout.tsx';
import { takeTypedEmail } from './typed-email.ts';
import { backToSignIn, CheckYourEmail } from './check-your-email.tsx';
import { useOpenAfterSignIn } from './open-after-sign-in.ts';
import { type MailedLinkResult, hasLinkRequirementChanged, isLinkOver } from './mailed-link.ts';
import { LinkNotLoaded, LinkProblem, NewPasswordForm } from './mailed-link-parts.tsx';
import { useLinkAction } from './link-action.ts';

/** /auth/link: requests a sign-in link by email. Opened by that link, the page shows a button that signs in. */
export function LinkPage({ token, found }: { token: string | undefined; found: MailedLinkResult }) {
  const [sentTo, setSentTo] = useState<string>();
  if (token) return <SignInByLink token={token} found={found} />;
  if (sentTo === undefined)
    return (
      <AuthLayout
        title="Sign in without a password"
        lede="We’ll email you a link that signs you in once."
        after={backToSignIn}
      >
        <LinkRequest onSent={setSentTo} />
      </AuthLayout>
    );
  return (
    <CheckYourEmail sentTo={sentTo} what="sign-in link" onOther={() => setSentTo(undefined)}>
      The link works once and expires after {lifetimes.signInLinkMinutes} minutes.
    </CheckYourEmail>
  );
}

function LinkRequest({ onSent }: { onSent: (email: string) => void }) {
  const [email] = useState(takeTypedEmail);
  const form = useShopForm(ForgotPasswordForm, {
    defaultValues: email === undefined ? undefined : { email },
    onSubmit: async (body) => {
      await send('POST /api/auth/link', { body });
      shareReturnPathWithTabs(lifetimes.signInLinkMinutes);
      onSent(body.email);
    },
  });
  return (
    <Form form={form} label="Email me a link">
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide size="large" busyLabel="Sending...">
        Send sign-in link
      </SubmitButton>
    </Form>
  );
}

/**
 * Signs in only after a click: mail scanners open links, and the sign-in link works only once. If the email is not
 * confirmed yet, the customer first chooses a new password, because someone else may have created the account and know
 * its password.
 */
function SignInByLink({ token, found }: { token: string; found: MailedLinkResult }) {
  const router = useRouter();
  const openAfterSignIn = useOpenAfterSignIn();
  const [isOver, setIsOver] = useState(false);
  const signIn = async (password?: string) => {
    const body = { token, ...(password !== undefined && { password }) };
    const { customer } = await send('POST /api/auth/link/login', { body });
    restoreReturnPath();
    await openAfterSignIn(customer, takeReturnPath());
  };
  const handleLinkProblem = (error: unknown) => {
    if (isLinkOver(error)) setIsOver(true);
    else if (hasLinkRequirementChanged(error)) void router.invalidate();
  };
  const { act, isBusy, isReady, error } = useLinkAction(() => signIn(), handleLinkProblem);
  if (isOver || 'isOver' in found)
    return (
      <AuthLayout title="That link was already used" lede={refusals['sign-in-link-invalid'].words} after={backToSignIn}>
        <LinkButton to={paths.signInLink} wide size="large">
          Request a new link
        </LinkButton>
      </AuthLayout>
    );
  if ('words' in found) return <LinkNotLoaded {...found} />;
  if (found.needs === 'password')
    return (
      <AuthLayout
        title="Choose a password"
        lede={
          <>
            This is the first time you’ve opened a link we sent to{' '}
            <strong className="break-words">{found.email}</strong>. Choose a password so only you can sign in.
          </>
        }
        after={backToSignIn}
      >
        <NewPasswordForm
          email={found.email}
          words="Save and sign in"
          busyLabel="Signing in..."
          onSubmit={signIn}
          onProblem={handleLinkProblem}
        />
      </AuthLayout>
    );
  return (
    <AuthLayout title="Welcome back" lede="Press the button to sign in." after={backToSignIn}>
      {error !== null && <LinkProblem error={error} />}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyLabel="Signing in..." onClick={act}>
        Sign In
      </Button>
    </AuthLayout>
  );
}
