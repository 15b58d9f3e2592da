import { Fingerprint } from 'lucide-react';
import type { PasskeyView } from '#contract/account.ts';
import { send } from '../../data/api.ts';
import { createAndSavePasskey, PasskeyCancelled } from '../passkey.ts';
import { TitledCard } from '../titled-card.tsx';
import { useAccountChange } from './account-query.ts';
import { PasskeyList } from './passkey-list.tsx';
import { useReauthentication } from './reauthentication.tsx';

/** Explains passkeys and lists the customer's passkeys. The customer can add one. */
export function Passkeys({ passkeys }: { passkeys: PasskeyView[] }) {
  const { change, refresh } = useAccountChange();
  const { withProof, dialog } = useReauthentication();
  const add = () =>
    change(
      async () => {
        let name = '';
        try {
          const isDone = await withProof(async () => {
            ({ name } = await createAndSavePasskey(passkeys.length));
          });
          return isDone && { message: `You can now sign in with “${name}”.` };
        } catch (error) {
          if (error instanceof PasskeyCancelled) return false;
          throw error;
        }
      },
      { done: 'Passkey added', failed: 'Passkey not added' },
    );
  const rename = async ({ id }: PasskeyView, name: string) => {
    await send('PUT /api/account/passkeys/:id', { params: { id }, body: { name } });
    await refresh();
  };
  const remove = ({ id, name }: PasskeyView) =>
    change(
      async () => {
        const isDone = await withProof(() => send('DELETE /api/account/passkeys/:id', { params: { id } }));
        return isDone && { message: `You can’t sign in with “${name}” anymore.` };
      },
      { done: 'Passkey removed', failed: 'Passkey not removed' },
    );
  return (
    <TitledCard icon={Fingerprint} title="Passkeys">
      <p className="text-muted">
        Sign in with your fingerprint, your face or your device’s PIN. No one can guess a passkey, and you can’t give it
        away by mistake.
      </p>
      <PasskeyList passkeys={passkeys} onAdd={add} onRename={rename} onRemove={remove} />
      {dialog}
    </TitledCard>
  );
}
