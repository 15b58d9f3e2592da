import { useState } from 'react';
import { ProofForm } from '#contract/account-forms.ts';
import { send } from '../../data/api.ts';
import { isRefusal } from '../../data/error-words.ts';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, useShopForm } from '../../ui/form.tsx';
import { Link } from '../../ui/link.tsx';
import { PasswordField } from '../sign-in/password-field.tsx';

interface Pending {
  act: () => Promise<unknown>;
  settle: (result: Promise<boolean>) => void;
}

/**
 * For what somebody at an open browser must not do: the act is tried, and where the shop asks for the password, so does
 * this page, and the act is tried again. False where the person thought better of it.
 */
export function useProof() {
  const [pending, setPending] = useState<Pending>();
  const withProof = async (act: () => Promise<unknown>): Promise<boolean> => {
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
      description="For your safety, please enter your password once more."
      size="small"
    >
      <AskPassword onProved={() => close(pending!.act().then(() => true))} />
    </Dialog>
  );
  return { withProof, dialog };
}

function AskPassword({ onProved }: { onProved: () => void }) {
  const form = useShopForm(ProofForm, {
    onSubmit: async (body) => {
      await send('POST /api/account/prove', { body });
      onProved();
    },
  });
  return (
    <Form form={form} label="Your password" className="mt-6 space-y-5">
      <PasswordField form={form} name="password" label="Password" autoComplete="current-password" />
      <FormProblem form={form} />
      <SubmitButton form={form} wide busyWords="One moment...">
        Go On
      </SubmitButton>
      <p className="text-[0.9375rem] text-muted">
        No password at hand? Sign out and in again, with a{' '}
        <Link to={paths.signInLink} className="link">
          mailed link
        </Link>{' '}
        or a passkey.
      </p>
    </Form>
  );
}
