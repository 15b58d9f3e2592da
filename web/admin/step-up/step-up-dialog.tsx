import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { AdminCodeForm, AdminPasswordForm } from '#contract/account-forms.ts';
import type { IdentityProof } from '#contract/owner/security.ts';
import { PasswordField } from '../../account/sign-in/password-field.tsx';
import { supportsPasskeys, PasskeyCancelled } from '../../account/passkey.ts';
import { query, send } from '../../data/api.ts';
import { errorText } from '../../data/error-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Form, FormButtons, FormProblem, TextField, useFirstFocus, useShopForm } from '../../ui/form.tsx';
import { Notice, Skeleton } from '../../ui/surfaces.tsx';
import { signAsOwner } from '../passkey.ts';
import { uncachedQueryOptions, useIsStaff, useSessionEnd } from '../session.ts';
import { openStepUpQuestion } from './step-up.ts';

/** Asks the owner to prove their identity when a request of the panel needs a step-up. */
export function StepUpDialog() {
  const pendingQuestion = useSyncExternalStore(
    openStepUpQuestion.subscribe,
    openStepUpQuestion.get,
    openStepUpQuestion.get,
  );
  // When the panel closes, cancel the open question, so that no request waits for an answer.
  useEffect(() => () => openStepUpQuestion.close(false), []);
  return (
    <Dialog
      open={pendingQuestion !== undefined}
      onOpenChange={(open) => !open && openStepUpQuestion.close(false)}
      title="Is it you?"
      description="Before we continue, please confirm that it’s you."
      size="small"
    >
      <StepUpPrompt onProved={() => openStepUpQuestion.close(true)} />
    </Dialog>
  );
}

const otherProofLabels: Record<IdentityProof, string> = {
  password: 'Use your password',
  code: 'Use a code from your app',
  passkey: 'Use a passkey',
};

const noPasskeyText = 'This device doesn’t have a passkey for this. Please use your password.';

function StepUpPrompt({ onProved }: { onProved: () => void }) {
  const { data, error, refetch } = useQuery({ ...query('/api/admin/step-up'), ...uncachedQueryOptions });
  const [chosen, setChosen] = useState<IdentityProof>();
  // Staff may have only a passkey, or no password.
  const proofKind = chosen ?? (['password', 'code'] as const).find((it) => data?.proofs.includes(it));
  const [problem, setProblem] = useState<string>();
  const handleSessionEnd = useSessionEnd();
  const otherProofs = (data?.proofs ?? []).filter((it) => it !== proofKind && (it !== 'passkey' || supportsPasskeys()));
  const promptPasskey = async () => {
    setProblem(undefined);
    try {
      await send('POST /api/admin/step-up', { body: { answer: await signAsOwner() } });
      onProved();
    } catch (error) {
      if (error instanceof PasskeyCancelled) return;
      setProblem(errorText(error, noPasskeyText));
      handleSessionEnd(error);
    }
  };
  // A passkey needs no form here, because the device shows its own dialog.
  const choose = (other: IdentityProof) => (other === 'passkey' ? void promptPasskey() : setChosen(other));
  return (
    <>
      {!data && !error && <Skeleton className="mt-6 h-24" />}
      {!data && error && (
        <Notice tone="bad" className="mt-6">
          <p>{errorText(error)}</p>
          <Button size="small" className="mt-3" onClick={() => void refetch()}>
            Try again
          </Button>
        </Notice>
      )}
      {proofKind === 'password' && <PasswordPrompt onProved={onProved} />}
      {proofKind === 'code' && <CodePrompt onProved={onProved} />}
      <div role="alert">
        {problem && <p className="mt-4 rounded-lg bg-bad-soft p-4 font-medium text-bad">{problem}</p>}
      </div>
      {otherProofs.length > 0 && (
        <div className="mt-4 flex flex-wrap justify-end gap-x-2">
          {otherProofs.map((other) => (
            <Button key={other} look="quiet" size="small" onClick={() => choose(other)}>
              {otherProofLabels[other]}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function PasswordPrompt({ onProved }: { onProved: () => void }) {
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(AdminPasswordForm, {
    onSubmit: async (body) => {
      await send('POST /api/admin/step-up', { body });
      onProved();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'password');
  return (
    <Form form={form} label="Your password" className="mt-6 space-y-5">
      <PasswordField
        form={form}
        name="password"
        label={useIsStaff() ? 'Your password' : 'Admin password'}
        autoComplete="current-password"
      />
      <FormProblem form={form} />
      <FormButtons form={form} words="Continue" busyLabel="One moment..." />
    </Form>
  );
}

function CodePrompt({ onProved }: { onProved: () => void }) {
  const handleSessionEnd = useSessionEnd();
  const form = useShopForm(AdminCodeForm, {
    onSubmit: async (body) => {
      await send('POST /api/admin/step-up', { body });
      onProved();
    },
    onProblem: (_, error) => handleSessionEnd(error),
  });
  useFirstFocus(form, 'code');
  return (
    <Form form={form} label="Your code" className="mt-6 space-y-5">
      <TextField
        form={form}
        name="code"
        label="Code"
        hint="The six digits your app shows now, or a recovery code."
        autoComplete="one-time-code"
        maxLength={40}
      />
      <FormProblem form={form} />
      <FormButtons form={form} words="Continue" busyLabel="One moment..." />
    </Form>
  );
}
