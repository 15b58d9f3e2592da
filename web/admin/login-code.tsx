import { useState } from 'react';
import { AdminCodeForm } from '#contract/account-forms.ts';
import { send } from '../data/api.ts';
import { isRefusal } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { Form, FormProblem, SubmitButton, TextField, useFirstFocus, useShopForm } from '../ui/form.tsx';
import { toast } from '../ui/toast.ts';
import { PasskeySignIn } from './login-passkey.tsx';

interface Props {
  onEnter: () => Promise<void>;
  onFailed: (words: string, error: unknown) => void;
  onStartOver: () => void;
  /** Whether a member of the staff signs in, and not the owner. */
  isStaff?: boolean;
}

/** The second step of the sign-in: a code from the owner's authenticator app, or a recovery code. */
export function CodeStep({ onEnter, onFailed, onStartOver, isStaff = false }: Props) {
  const [isRecovering, setIsRecovering] = useState(false);
  const form = useShopForm(AdminCodeForm, {
    onSubmit: async (body) => {
      const { recoveryCodesLeft, message } = await send(
        isStaff ? 'POST /api/admin/auth/staff/code' : 'POST /api/admin/auth/code',
        { body },
      );
      if (recoveryCodesLeft !== undefined) toast({ title: 'Signed in', description: message });
      await onEnter();
    },
    onProblem: (words, error) => {
      onFailed(words, error);
      if (isRefusal(error, 'admin-password-first') || isRefusal(error, 'code-locked')) onStartOver();
    },
  });
  useFirstFocus(form, 'code', isRecovering);
  const switchMethod = () => {
    form.setValue('code', '');
    form.clearErrors();
    setIsRecovering(!isRecovering);
  };
  return (
    <>
      <Form form={form} label="Second step" className="mt-6 space-y-5">
        {isRecovering ? (
          <TextField
            key="recovery"
            form={form}
            name="code"
            label="Recovery code"
            hint="One of the codes you saved when you set up the second step. Each one works once."
            autoComplete="off"
            maxLength={40}
          />
        ) : (
          <TextField
            key="app"
            form={form}
            name="code"
            label="Code"
            hint="The six digits your authenticator app shows now."
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={20}
          />
        )}
        <FormProblem form={form} />
        <SubmitButton form={form} wide busyLabel="Signing in...">
          Sign In
        </SubmitButton>
      </Form>
      <div className="mt-3">
        <PasskeySignIn onEnter={onEnter} onFailed={onFailed} />
      </div>
      <div className="mt-4 flex flex-wrap justify-between gap-x-4">
        <Button look="quiet" size="small" disabled={form.busy} onClick={switchMethod}>
          {isRecovering ? 'Use the app instead' : 'Use a recovery code'}
        </Button>
        <Button look="quiet" size="small" disabled={form.busy} onClick={onStartOver}>
          Start again
        </Button>
      </div>
    </>
  );
}
