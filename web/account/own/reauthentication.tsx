import { useState } from 'react';
import { PasswordProofForm } from '#contract/account-forms.ts';
import { send } from '../../data/api.ts';
import { isRefusal } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';

interface PendingAction {
  act: () => Promise<unknown>;
  settle: (result: Promise<boolean>) => void;
}

/**
 * Protects sensitive actions from other people who use the customer's browser. `runWithProof` tries the action. If the
 * shop requires the password, `dialog` asks the customer for it, and the action is tried again. Resolves to false if
 * the customer cancels.
 */
export function useReauthentication() {
  const [pending, setPending] = useState<PendingAction>();
  const runWithProof = async (act: () => Promise<unknown>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (error) {
      if (!isRefusal(error, 'password-needed')) throw error;
    }
    return new Promise<boolean>((resolve) => {
      setPending({ act, settle: resolve });
    });
  };
  const close = (result: Promise<boolean>) => {
    pending?.settle(result);
    setPending(undefined);
  };
  const dialog = (
    <Dialog
      open={pending !== undefined}
      onOpenChange={(open) => !open && close(Promise.resolve(false))}
      title="Is it you?"
      description="For your safety, please enter your password again."
      size="small"
    >
      <PasswordPrompt onProved={() => close(pending!.act().then(() => true))} />
    </Dialog>
  );
  return { withProof: runWithProof, dialog };
}

function PasswordPrompt({ onProved }: { onProved: () => void }) {
  const form = useShopForm(PasswordProofForm, {
    onSubmit: async (body) => {
      await send('POST /api/account/prove', { body });
      onProved();
    },
  });
  return (
    <Form form={form} label="Your password" className="mt-6 space-y-5">
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide busyLabel="One moment...">
        Continue
      </SubmitButton>
      <p className="text-[0.9375rem] text-muted">
        Don’t know your password? Sign out and sign in again with an{' '}
        <Link to={paths.signInLink} className="link">
          emailed link
        </Link>{' '}
        or a passkey.
      </p>
    </Form>
  );
}
