import { useState } from 'react';
import { StaffSignInForm } from '#contract/staff-forms.ts';
import { PasswordField } from '../account/sign-in/password-field.tsx';
import { send } from '../data/api.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useFirstFocus, useShopForm } from '../ui/form.tsx';
import { CodeStep } from './login-code.tsx';
import { PasskeySignIn } from './login-passkey.tsx';

interface Props {
  onEnter: () => Promise<void>;
  onFailed: (words: string, error: unknown) => void;
  /** Back to the owner's sign-in. */
  onBack: () => void;
}

/** Sign-in of people whom the owner has invited: by email, password and code, or by passkey. */
export function StaffSignIn({ onEnter, onFailed, onBack }: Props) {
  const [isAskedForCode, setIsAskedForCode] = useState(false);
  return isAskedForCode ? (
    <CodeStep isStaff onEnter={onEnter} onFailed={onFailed} onStartOver={() => setIsAskedForCode(false)} />
  ) : (
    <PasswordStep onEnter={onEnter} onFailed={onFailed} onBack={onBack} onCodeNeeded={() => setIsAskedForCode(true)} />
  );
}

function PasswordStep({ onEnter, onFailed, onBack, onCodeNeeded }: Props & { onCodeNeeded: () => void }) {
  const form = useShopForm(StaffSignInForm, {
    onSubmit: async (body) => {
      await send('POST /api/admin/auth/staff/password', { body });
      onCodeNeeded();
    },
    onProblem: onFailed,
  });
  useFirstFocus(form, 'email');
  return (
    <>
      <Form form={form} label="Sign in as staff" className="mt-6 space-y-5">
        <TextField form={form} name="email" label="Email" type="email" inputMode="email" autoComplete="username" />
        <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
        <FormProblem form={form} />
        <SubmitButton form={form} wide busyLabel="Signing in...">
          Continue
        </SubmitButton>
      </Form>
      <div className="mt-3">
        <PasskeySignIn onEnter={onEnter} onFailed={onFailed} />
      </div>
      <p className="mt-5 text-[0.9375rem] text-muted">
        Can’t sign in anymore? Ask the owner of the shop to remove you and to invite you again.
      </p>
      <Button look="quiet" size="small" className="mt-2 -ml-3" disabled={form.busy} onClick={onBack}>
        I’m the owner
      </Button>
    </>
  );
}
