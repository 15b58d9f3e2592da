import { Fingerprint, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PasskeyView } from '#contract/account.ts';
import { PasskeyNameForm } from '#contract/account-forms.ts';
import { dayWords } from '#contract/calendar.ts';
import { send } from '../../data/api.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.ts';
import { makePasskey, PasskeyCancelled } from '../passkey.ts';
import { TitledCard } from '../titled-card.tsx';
import { useAccountChange } from './account-query.ts';
import { useProof } from './proof.tsx';

/** Passkeys: what they are good for, those there are, and one more. */
export function Passkeys({ passkeys }: { passkeys: PasskeyView[] }) {
  const { change } = useAccountChange();
  const { withProof, dialog } = useProof();
  const [isBusy, setIsBusy] = useState(false);
  const [renamed, setRenamed] = useState<PasskeyView>();
  const [removed, setRemoved] = useState<PasskeyView>();
  const add = async () => {
    setIsBusy(true);
    await change(
      async () => {
        let name = '';
        try {
          const isDone = await withProof(async () => {
            ({ name } = await makePasskey(passkeys.length));
          });
          return isDone && { message: `“${name}” signs you in from now on.` };
        } catch (error) {
          if (error instanceof PasskeyCancelled) return false;
          throw error;
        }
      },
      { done: 'Passkey Added', failed: 'Passkey Not Added' },
    );
    setIsBusy(false);
  };
  return (
    <TitledCard icon={Fingerprint} title="Passkeys">
      <p className="text-muted">
        Sign in with your fingerprint, your face or your device’s PIN. A passkey cannot be guessed or given away by
        mistake.
      </p>
      {passkeys.length > 0 && (
        <ul className="mt-4 divide-y divide-hair">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-2 py-3">
              <p className="min-w-0 flex-1">
                <span className="block font-medium break-words">{passkey.name}</span>
                <span className="block text-[0.9375rem] text-muted">
                  Added {dayWords(passkey.createdAt)}
                  {passkey.lastUsedAt !== null && `, used ${dayWords(passkey.lastUsedAt)}`}
                </span>
              </p>
              <IconButton
                words={`Rename ${passkey.name}`}
                icon={Pencil}
                disabled={false}
                onClick={() => setRenamed(passkey)}
              />
              <IconButton
                words={`Remove ${passkey.name}`}
                icon={Trash2}
                disabled={false}
                onClick={() => setRemoved(passkey)}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        look="secondary"
        className="mt-5"
        busy={isBusy}
        busyWords="Waiting for your device..."
        onClick={() => void add()}
      >
        Add a Passkey
      </Button>
      {dialog}
      {renamed && <Rename passkey={renamed} onClose={() => setRenamed(undefined)} />}
      <ConfirmDialog
        open={removed !== undefined}
        onOpenChange={() => setRemoved(undefined)}
        title="Remove this passkey?"
        description={`“${removed?.name ?? ''}” signs in no more. Your device may still list it; you can delete it there, too.`}
        confirmWords="Remove Passkey"
        destructive
        onConfirm={() =>
          change(
            async () => {
              const { id, name } = removed!;
              const isDone = await withProof(() => send('DELETE /api/account/passkeys/:id', { params: { id } }));
              return isDone && { message: `“${name}” signs in no more.` };
            },
            { done: 'Passkey Removed', failed: 'Passkey Not Removed' },
          )
        }
      />
    </TitledCard>
  );
}

function Rename({ passkey, onClose }: { passkey: PasskeyView; onClose: () => void }) {
  const { refresh } = useAccountChange();
  const form = useShopForm(PasskeyNameForm, {
    defaultValues: { name: passkey.name },
    onSubmit: async (body) => {
      await send('PUT /api/account/passkeys/:id', { params: { id: passkey.id }, body });
      await refresh();
      toast({ title: 'Passkey Renamed', description: `It is called “${body.name}” now.` });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title="Rename passkey" size="small">
      <Form form={form} label="Rename passkey" className="mt-6 space-y-5">
        <TextField form={form} name="name" label="Name" maxLength={60} hint="Such as the device it is on." />
        <FormProblem form={form} />
        <SubmitButton form={form} wide busyWords="Saving...">
          Save Name
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
