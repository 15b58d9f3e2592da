import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { PasskeyView } from '#contract/account.ts';
import { PasskeyNameForm } from '#contract/account-forms.ts';
import { dayText } from '#contract/calendar.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Form, FormProblem, SubmitButton, TextField, useShopForm } from '../../ui/form.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { toast } from '../../ui/toast.ts';

interface Props {
  passkeys: PasskeyView[];
  onAdd: () => Promise<unknown>;
  /** Rejects if the name could not be changed. */
  onRename: (passkey: PasskeyView, name: string) => Promise<unknown>;
  onRemove: (passkey: PasskeyView) => Promise<unknown>;
}

/** A person's passkeys, with buttons to rename, remove and add one. */
export function PasskeyList({ passkeys, onAdd, onRename, onRemove }: Props) {
  const [isAdding, setIsAdding] = useState(false);
  const [renamed, setRenamed] = useState<PasskeyView>();
  const [removed, setRemoved] = useState<PasskeyView>();
  const add = async () => {
    setIsAdding(true);
    await onAdd();
    setIsAdding(false);
  };
  return (
    <>
      {passkeys.length > 0 && (
        <ul className="mt-4 divide-y divide-hair">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center gap-2 py-3">
              <p className="min-w-0 flex-1">
                <span className="block font-medium break-words">{passkey.name}</span>
                <span className="block text-[0.9375rem] text-muted">
                  Added {dayText(passkey.createdAt)}
                  {passkey.lastUsedAt !== null && `, used ${dayText(passkey.lastUsedAt)}`}
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
        busy={isAdding}
        busyLabel="Waiting for your device..."
        onClick={() => void add()}
      >
        Add a passkey
      </Button>
      {renamed && <Rename passkey={renamed} onRename={onRename} onClose={() => setRenamed(undefined)} />}
      <ConfirmDialog
        open={removed !== undefined}
        onOpenChange={() => setRemoved(undefined)}
        title="Remove this passkey?"
        description={`You won’t be able to sign in with “${removed?.name ?? ''}” anymore. Your device may still list it. You can delete it there, too.`}
        confirmLabel="Remove passkey"
        destructive
        onConfirm={() => onRemove(removed!)}
      />
    </>
  );
}

function Rename(props: Pick<Props, 'onRename'> & { passkey: PasskeyView; onClose: () => void }) {
  const { passkey, onRename, onClose } = props;
  const form = useShopForm(PasskeyNameForm, {
    defaultValues: { name: passkey.name },
    onSubmit: async ({ name }) => {
      await onRename(passkey, name);
      toast({ title: 'Passkey renamed', description: `Your passkey is now called “${name}”.` });
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={onClose} title="Rename passkey" size="small">
      <Form form={form} label="Rename passkey" className="mt-6 space-y-5">
        <TextField form={form} name="name" label="Name" maxLength={60} hint="For example, your device’s name." />
        <FormProblem form={form} />
        <SubmitButton form={form} wide busyLabel="Saving...">
          Save name
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
