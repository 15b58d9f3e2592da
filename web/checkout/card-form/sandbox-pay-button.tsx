import { useState } from 'react';
import { confirmAtSandbox } from './sandbox-confirm.ts';
import type { CardFormHandle } from './card-form.tsx';
import { OneTapButton } from './one-tap-button.tsx';
import { SandboxWallet } from './sandbox-wallet.tsx';

interface Props {
  /** Integer cents. Undefined until the payment has started. */
  totalCents: number | undefined;
  onPay: (wallet: CardFormHandle) => Promise<void>;
}

/** The sandbox's wallet button on the payment page. The buyer has entered the details, so the wallet only pays. */
export default function SandboxPayButton({ totalCents, onPay }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <OneTapButton disabled={totalCents === undefined} onClick={() => setOpen(true)} />
      {isOpen && (
        <SandboxWallet
          asksAddress={false}
          asksEmail={false}
          lines={[]}
          totalCents={totalCents}
          isRefused={false}
          onAddress={() => {}}
          onClose={() => setOpen(false)}
          onPay={async ({ card }) => {
            await onPay({ confirm: (request) => confirmAtSandbox({ ...request, card }) });
            setOpen(false);
          }}
        />
      )}
    </>
  );
}
