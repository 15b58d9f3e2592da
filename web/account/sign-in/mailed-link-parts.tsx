import { useRouter } from '@tanstack/react-router';
import { ResetPasswordForm } from '#contract/account-forms.ts';
import { limits } from '#contract/limits.ts';
import { errorText } from '../../data/error-text.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { paths } from '../../paths.ts';
import { Form, FormProblem, SubmitButton, useShopForm } from '../../ui/form.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { PasswordField } from './password-field.tsx';

/** Shown if the emailed link could not be checked. */
export function LinkNotLoaded({ words }: { words: string }) {
  const router = useRouter();
  return (
    <AuthLayout title="That didn’t work" lede={words}>
      <Button wide size="large" onClick={() => void router.invalidate()}>
        Try again
      </Button>
      <LinkButton to={paths.support} look="quiet" wide className="mt-3">
        Contact support
      </LinkButton>
    </AuthLayout>
  );
}

export function LinkProblem({ error }: { error: unknown }) {
  return (
    <p role="alert" className="mb-6 rounded-lg bg-bad-soft p-4 font-medium text-bad">
      {errorText(error)}
    </p>
  );
}

interface Props {
  email: string;
  words: string;
  busyLabel: string;
  onSubmit: (password: string) => Promise<unknown>;
  /** Receives the error, in addition to the form's own message. */
  onProblem: (error: unknown) => void;
}

/**
 * The form to choose a new password. It is needed if the email is not confirmed and this browser is not signed in to
 * the account.
 */
export function NewPasswordForm({ email, words, busyLabel, onSubmit, onProblem }: Props) {
  const form = useShopForm(ResetPasswordForm, {
    onSubmit: ({ password }) => onSubmit(password),
    onProblem: (_, error) => onProblem(error),
  });
  return (
    <Form form={form} label="Choose a password">
      {/* A hidden field that tells password managers the account of this password. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        form={form}
        name="password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${limits.passwordMinimum} characters.`}
      />
      <PasswordField form={form} name="confirmPassword" label="Confirm new password" autoComplete="new-password" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide size="large" busyLabel={busyLabel}>
        {words}
      </SubmitButton>
    </Form>
  );
}
