import { useState } from 'react';
import { AdminCodeForm, AdminPasswordForm } from '#contract/account-forms.ts';
import { PasswordField } from '../../account/sign-in/password-field.tsx';
import { type ApiResponseBody, send } from '../../data/api.ts';
import { Form, FormButtons, FormProblem, TextField, useFirstFocus, useShopForm } from '../../ui/form.tsx';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../session.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';
import { AuthenticatorKey } from './authenticator-key.tsx';

type StartedSetup = ApiResponseBody<'POST /api/admin/second-factor'>;
interface Props {
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Sets up the second factor. The owner first enters the password, and then a first code from the authenticator app. */
export function SecondFactorSetup({ onDone, onCancel }: Props) {
  const [begun, setBegun] = useState<StartedSetup>();
  return (
    <section className="mt-6" aria-labelledby="set-up">
      <h3 id="set-up" className="text-lg font-semibold">
        Set up the second step
      </h3>
      {begun ? (
        <FirstCode begun={begun} onDone={onDone} onCancel={onCancel} />
      ) : (
        <PasswordPrompt onBegun={setBegun} onCancel={onCancel} />
      )}
    </section>
  );
}

function PasswordPrompt({ onBegun, onCancel }: { onBegun: (begun: StartedSetup) => void; onCancel: () => void }) {
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(AdminPasswordForm, {
    onSubmit: async (body) => onBegun(await send('POST /api/admin/second-factor', { body })),
    onProblem: (_, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'password');
  return (
    <>
      <p className="mt-1 text-muted">
        You’ll need an authenticator app on your phone, such as Google Authenticator, Microsoft Authenticator or
        1Password.
      </p>
      <Form form={form} label="Your password" className="mt-5 space-y-5">
        <PasswordField
          form={form}
          name="password"
          label="Admin password"
          hint="Please enter your password again. This protects you if you leave the panel open."
          autoComplete="current-password"
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Continue" busyLabel="One moment..." onCancel={onCancel} />
      </Form>
    </>
  );
}

function FirstCode({ begun, onDone, onCancel }: Props & { begun: StartedSetup }) {
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(AdminCodeForm, {
    onSubmit: async (body) => {
      const { recoveryCodes, message } = await sendWithStepUp('POST /api/admin/second-factor/confirm', { body });
      toast({ title: 'Second step on', description: message });
      onDone(recoveryCodes);
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'code');
  return (
    <>
      <p className="mt-1 text-muted">Scan this QR code with the app, then enter the six digits it shows.</p>
      <AuthenticatorKey begun={begun} />
      <Form form={form} label="First code" className="mt-5 space-y-5">
        <TextField
          form={form}
          name="code"
          label="Code"
          hint="Nothing changes until you enter a correct code."
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={20}
        />
        <FormProblem form={form} />
        <FormButtons form={form} words="Turn on" busyLabel="One moment..." onCancel={onCancel} />
      </Form>
    </>
  );
}
