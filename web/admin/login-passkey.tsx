import { Fingerprint } from 'lucide-react';
import { useState } from 'react';
import { supportsPasskeys, PasskeyCancelled } from '../account/passkey.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button } from '../ui/button.tsx';
import { useHydrated } from '../ui/use-hydrated.ts';
import { signAsOwner } from './passkey.ts';

const noPasskeyText = 'This device can’t sign in with a passkey. Please use your password.';

/** A button to sign in with a passkey of this device, without the password and the code. */
export function PasskeySignIn(props: {
  onEnter: () => Promise<void>;
  onFailed: (words: string, error: unknown) => void;
}) {
  const [isBusy, setIsBusy] = useState(false);
  const hasPasskeys = useHydrated() && supportsPasskeys();
  if (!hasPasskeys) return null;
  const signIn = async () => {
    setIsBusy(true);
    try {
      await send('POST /api/admin/auth/passkey', { body: { answer: await signAsOwner() } });
      await props.onEnter();
    } catch (error) {
      if (!(error instanceof PasskeyCancelled)) props.onFailed(errorText(error, noPasskeyText), error);
    }
    setIsBusy(false);
  };
  return (
    <Button look="secondary" wide busy={isBusy} busyLabel="Waiting for your device..." onClick={() => void signIn()}>
      <Fingerprint aria-hidden className="size-5" />
      Sign in with a passkey
    </Button>
  );
}
