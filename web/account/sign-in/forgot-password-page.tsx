import { useState } from 'react';
import { ForgotPasswordForm } from '#contract/account-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { toast } from '../../ui/toast.ts';
import { AuthLayout } from './auth-layout.tsx';

const backToSignIn = (
  <Link to={paths.signIn} className="link inline-flex min-h-11 items-center">
    Back to sign in
  </Link>
);

/** /auth/forgot-password: ask for a reset link. What is said is the same whether or not there is an account. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  if (sentTo !== undefined) {
    return (
      <AuthLayout title="Check Your Email" after={backToSignIn}>
        <div role="status" className="space-y-4">
          <p>
            If an account with the email <strong className="break-words">{sentTo}</strong> exists, we've sent you a
            password reset link.
          </p>
          <p className="text-muted">
            The link works for {lifetimes.passwordResetHours} hour. Nothing there after a few minutes? Look in the spam
            folder, or try the address you bought with.
          </p>
        </div>
        <Button look="secondary" wide className="mt-6" onClick={() => setSentTo(undefined)}>
          Try another email
        </Button>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Forgot your password?" lede="We will mail you a link to choose a new one." after={backToSignIn}>
      <AskForLink onSent={setSentTo} />
    </AuthLayout>
  );
}

function AskForLink({ onSent }: { onSent: (email: string) => void }) {
  const form = useShopForm(ForgotPasswordForm, {
    onSubmit: async (body) => {
      await send('POST /api/auth/forgot-password', { body });
      onSent(body.email);
    },
    fallbackWords: 'Failed to send reset email. Please try again.',
    onProblem: (words) => toast({ title: 'Reset Request Failed', description: words, destructive: true }),
  });
  return (
    <Form form={form} label="Forgot password">
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide size="large" busyWords="Sending...">
        Send Reset Link
      </SubmitButton>
    </Form>
  );
}
