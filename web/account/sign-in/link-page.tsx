import { useState } from 'react';
import { ForgotPasswordForm } from '#contract/account-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { errorWords, isRefusal } from '../../data/error-words.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { bringReturnPath, carryReturnPath, takeReturnPath } from '../return-path.ts';
import { AuthLayout } from './auth-layout.tsx';
import { carriedEmail } from './carried-email.ts';
import { backToSignIn, CheckYourEmail } from './check-your-email.tsx';
import { useEntrance } from './entrance.ts';
import { useTokenAct } from './token-act.ts';

/** /auth/link: ask for a link to sign in with, and, with the mailed token, the one button that does it. */
export function LinkPage({ token }: { token: string | undefined }) {
  const [sentTo, setSentTo] = useState<string>();
  if (token) return <SignInByLink token={token} />;
  if (sentTo === undefined)
    return (
      <AuthLayout
        title="Sign in without a password"
        lede="We mail you a link that signs you in once."
        after={backToSignIn}
      >
        <AskForLink onSent={setSentTo} />
      </AuthLayout>
    );
  return (
    <CheckYourEmail sentTo={sentTo} what="link to sign in" onOther={() => setSentTo(undefined)}>
      It works once, for {lifetimes.signInLinkMinutes} minutes.
    </CheckYourEmail>
  );
}

function AskForLink({ onSent }: { onSent: (email: string) => void }) {
  const [email] = useState(carriedEmail);
  const form = useShopForm(ForgotPasswordForm, {
    defaultValues: email === undefined ? undefined : { email },
    onSubmit: async (body) => {
      await send('POST /api/auth/link', { body });
      carryReturnPath(lifetimes.signInLinkMinutes);
      onSent(body.email);
    },
  });
  return (
    <Form form={form} label="Mail me a link">
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide size="large" busyWords="Sending...">
        Send Sign-In Link
      </SubmitButton>
    </Form>
  );
}

/** A page with a button: what looks through mails for its owner opens links, too, and must not use this one up. */
function SignInByLink({ token }: { token: string }) {
  const enter = useEntrance();
  const { act, isBusy, isReady, error } = useTokenAct(async () => {
    const { customer, passwordEnded } = await send('POST /api/auth/link/login', { body: { token } });
    bringReturnPath();
    await enter(customer, takeReturnPath());
    if (passwordEnded)
      toast({
        title: 'Your Email Is Confirmed',
        description: 'For your safety the password from before no longer works. Choose a new one in your account.',
      });
  });
  if (isRefusal(error, 'sign-in-link-invalid') || isRefusal(error, 'invalid-request'))
    return (
      <AuthLayout title="That link is used up" lede={refusals['sign-in-link-invalid'].words} after={backToSignIn}>
        <LinkButton to={paths.signInLink} wide size="large">
          Ask for a New Link
        </LinkButton>
      </AuthLayout>
    );
  return (
    <AuthLayout title="Welcome back" lede="One click, and you are in." after={backToSignIn}>
      {error !== null && (
        <p role="alert" className="mb-6 rounded-lg bg-bad-soft p-4 font-medium text-bad">
          {errorWords(error)}
        </p>
      )}
      <Button wide size="large" disabled={!isReady} busy={isBusy} busyWords="Signing in..." onClick={act}>
        Sign In
      </Button>
    </AuthLayout>
  );
}
