import type { PasskeyView } from '#contract/account.ts';
import { PasskeyList } from '../../account/own/passkey-list.tsx';
import { supportsPasskeys, PasskeyCancelled } from '../../account/passkey.ts';
import { isRefusal } from '../../data/error-text.ts';
import { Notice } from '../../ui/surfaces.tsx';
import { makeOwnersPasskey } from '../passkey.ts';
import { sendWithStepUp } from '../step-up/step-up.ts';
import { useSecurityChange } from './security-query.ts';

/** The owner's passkeys, with buttons to add, rename and remove a passkey. */
export function OwnersPasskeys({ passkeys, hasSecondStep }: { passkeys: PasskeyView[]; hasSecondStep: boolean }) {
  const { change, refresh } = useSecurityChange();
  const add = () =>
    change(
      async () => {
        const { name } = await makeOwnersPasskey(
          passkeys.length === 0 ? 'My passkey' : `My passkey ${passkeys.length + 1}`,
        );
        return { message: `You can now sign in with “${name}”. We emailed you, too.` };
      },
      { done: 'Passkey added', failed: 'Passkey not added', isCancelled },
    );
  const rename = async ({ id }: PasskeyView, name: string) => {
    await sendWithStepUp('PUT /api/admin/passkeys/:id', { params: { id }, body: { name } });
    await refresh();
  };
  const remove = ({ id, name }: PasskeyView) =>
    change(
      async () => {
        await sendWithStepUp('DELETE /api/admin/passkeys/:id', { params: { id } });
        return { message: `You can’t sign in with “${name}” anymore.` };
      },
      { done: 'Passkey removed', failed: 'Passkey not removed', isCancelled },
    );
  return (
    <section className="mt-8" aria-labelledby="owners-passkeys">
      <h3 id="owners-passkeys" className="text-lg font-semibold">
        Passkeys
      </h3>
      <p className="mt-1 text-muted">
        Sign in with your fingerprint, your face or your device’s PIN, instead of the password and the code.
      </p>
      {passkeys.length > 0 && !hasSecondStep && (
        <Notice tone="warn" className="mt-4">
          Right now, the password alone is enough to sign in. Set up the second step to keep out anyone who finds out
          your password.
        </Notice>
      )}
      {supportsPasskeys() ? (
        <PasskeyList passkeys={passkeys} onAdd={add} onRename={rename} onRemove={remove} />
      ) : (
        <p className="mt-3 text-muted">This browser doesn’t support passkeys. Please open the panel in another one.</p>
      )}
    </section>
  );
}

/** Whether the owner canceled the passkey dialog of the device, or the step-up dialog. */
const isCancelled = (error: unknown) => error instanceof PasskeyCancelled || isRefusal(error, 'step-up-needed');
