import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ForgotPasswordForm } from '#contract/account-forms.ts';
import { lifetimes } from '#contract/limits.ts';
import { send } from '../../data/api.ts';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { customerQuery } from '../customer.ts';
import { shareReturnPathWithTabs } from '../return-path.ts';
import { AuthLayout } from './auth-layout.tsx';
import { takeTypedEmail } from './typed-email.ts';
import { backToAccount, backToSignIn, CheckYourEmail } from './check-your-email.tsx';

/** /auth/forgot-password: requests a reset link. The text does not reveal whether there is an account. */
export function ForgotPasswordPage() {
  const [sentTo, setSentTo] = useState<string>();
  const queryClient = useQueryClient();
  const backLink = queryClient.getQueryData(customerQuery().queryKey) ? backToAccount : backToSignIn;
  if (sentTo !== undefined)
    return (
      <CheckYourEmail sentTo={sentTo} what="password reset link" onOther={() => setSentTo(undefined)} after={backLink}>
        The link works for {lifetimes.passwordResetHours} hour.
      </CheckYourEmail>
    );
  return (
    <AuthLayout title="Forgot your password?" lede="We’ll email you a link to choose a new one." after={backLink}>
      <LinkRequest onSent={setSentTo} />
    </AuthLayout>
  );
}

function LinkRequest({ onSent }: { onSent: (email: string) => void }) {
  const [email] = useState(takeTypedEmail);
  const form = useShopForm(ForgotPasswordForm, {
    defaultValues: email === undefined ? undefined : { email },
    onSubmit: async (body) => {
      await send('POST /api/auth/forgot-password', { body });
      shareReturnPathWithTabs(lifetimes.passwordResetHours * 60);
      onSent(body.email);
    },
    fallbackText: 'Failed to send reset email. Please try again.',
    onProblem: (message) => toast({ title: 'Reset Request Failed', description: message, destructive: true }),
  });
  return (
    <Form form={form} label="Forgot password">
      <TextField form={form} name="email" label="Email" type="email" autoComplete="username" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide size="large" busyLabel="Sending...">
        Send reset link
      </SubmitButton>
    </Form>
  );
}
