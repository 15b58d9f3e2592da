import { Fingerprint, Mail } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { errorText } from '../../data/error-text.ts';
import { paths } from '../../paths.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import {
  supportsPasskeys,
  offersPasskeys,
  PasskeyCancelled,
  signInByPasskey,
  stopPasskeyAutofill,
} from '../passkey.ts';
import { takeReturnPath } from '../return-path.ts';
import { useOpenAfterSignIn } from './open-after-sign-in.ts';
import { useHydrated } from '../../ui/use-hydrated.ts';

const noPasskeyText = 'This device can’t sign in with a passkey. Please use your password or an emailed link.';

/**
 * Ways to sign in without a password: a passkey, which is offered in the email field's autofill and by a button, or an
 * emailed link.
 */
export function OtherSignInWays({ onMail }: { onMail: () => void }) {
  const openAfterSignIn = useOpenAfterSignIn();
  const [isBusy, setIsBusy] = useState(false);
  const hasPasskeys = useHydrated() && supportsPasskeys();
  const signIn = async (isOffered: boolean) => {
    try {
      const { customer } = await signInByPasskey({ isOffered });
      await openAfterSignIn(customer, takeReturnPath());
    } catch (error) {
      if (error instanceof PasskeyCancelled) return;
      toast({ title: 'Login Failed', description: errorText(error, noPasskeyText), destructive: true });
    }
  };
  const offerPasskey = useEffectEvent(async () => {
    if (await offersPasskeys()) await signIn(true);
  });
  useEffect(() => {
    void offerPasskey();
    return () => void stopPasskeyAutofill();
  }, []);
  return (
    <div className="space-y-3 border-t border-hair pt-6">
      {hasPasskeys && (
        <Button
          look="secondary"
          wide
          busy={isBusy}
          busyLabel="Waiting for your device..."
          onClick={() => {
            setIsBusy(true);
            void signIn(false).finally(() => setIsBusy(false));
          }}
        >
          <Fingerprint aria-hidden className="size-5" />
          Sign in with a passkey
        </Button>
      )}
      <LinkButton look="secondary" wide to={paths.signInLink} onClick={onMail}>
        <Mail aria-hidden className="size-5" />
        Email me a sign-in link
      </LinkButton>
      <p className="pt-2 text-center text-[0.9375rem] text-muted">
        Bought without an account? Open the link in your receipt, or sign up with the same email address.
      </p>
    </div>
  );
}
