import { useState } from 'react';
import { ResetPasswordForm } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { send } from '../../data/api.ts';
import { isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Form, FormProblem, SubmitButton, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { restoreReturnPath } from '../return-path.ts';
import { AuthLayout } from './auth-layout.tsx';
import { PasswordField } from './password-field.tsx';

/** /auth/reset-password: opened by an emailed link. The customer chooses a new password. */
export function ResetPasswordPage({ token }: { token: string | undefined }) {
  const [state, setState] = useState<'asking' | 'invalid' | 'done'>('asking');
  if (!token || state === 'invalid') {
    return (
      <AuthLayout title="Invalid reset link" lede={refusals['reset-link-invalid'].words}>
        <LinkButton to={paths.forgotPassword} wide size="large">
          Request a new link
        </LinkButton>
        <LinkButton to={paths.signIn} look="quiet" wide className="mt-3">
          Back to sign in
        </LinkButton>
      </AuthLayout>
    );
  }
  if (state === 'done') {
    return (
      <AuthLayout
        title="Your password was changed"
        lede="We signed you out everywhere else. Please sign in with your new password."
      >
        <LinkButton to={paths.signIn} wide size="large">
          Continue to login
        </LinkButton>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title="Choose a new password">
      <ChoosePassword token={token} onDone={() => setState('done')} onInvalid={() => setState('invalid')} />
    </AuthLayout>
  );
}

function ChoosePassword({ token, onDone, onInvalid }: { token: string; onDone: () => void; onInvalid: () => void }) {
  const form = useShopForm(ResetPasswordForm, {
    onSubmit: async ({ password }) => {
      await send('POST /api/auth/reset-password', { body: { token, password } });
      restoreReturnPath();
      onDone();
    },
    fallbackText: 'Password reset failed. Please try again.',
    onProblem: (words, error) => {
      toast({ title: 'Password Reset Failed', description: words, destructive: true });
      if (isRefusal(error, 'reset-link-invalid')) onInvalid();
    },
  });
  return (
    <Form form={form} label="Reset password">
      <PasswordField
        form={form}
        name="password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${limits.passwordMinimum} characters.`}
      />
      <PasswordField form={form} name="confirmPassword" label="Confirm new password" autoComplete="new-password" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide size="large" busyLabel="Saving...">
        Reset password
      </SubmitButton>
    </Form>
  );
}
