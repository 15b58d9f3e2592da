import { useEffect, useState } from 'react';
import { paths } from '../../paths.ts';
import { confirmAtSandbox } from '../card-form/sandbox-confirm.ts';
import { type CartPrice, type ExpressButtonsProps, walletLines } from './express-protocol.ts';
import { SandboxWallet, type WalletChoice } from '../card-form/sandbox-wallet.tsx';
import { OneTapButton } from '../card-form/one-tap-button.tsx';
import type { WalletAddress } from '../card-form/wallet-address.ts';

/** The sandbox's wallet button. It makes the same calls as Stripe's Express Checkout Element, in the same order. */
export default function SandboxButton(props: ExpressButtonsProps) {
  const { price, isShipped, onOpen, onAddress, onCancel, onConfirm, onAvailable } = props;
  const [isOpen, setOpen] = useState(false);
  const [priced, setPriced] = useState<CartPrice>();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => onAvailable(true), [onAvailable]);

  async function chooseAddress({ city, state, postal_code, country }: WalletAddress) {
    setPriced(undefined);
    setRefused(false);
    const pricedCart = await onAddress({ city, state, postal_code, country }); // a wallet hides the street until it pays
    setPriced(pricedCart);
    setRefused(pricedCart === undefined);
  }

  async function pay({ name, email, address, card }: WalletChoice) {
    const givenByWallet = { name, email, ...(isShipped && { address }) };
    await onConfirm(givenByWallet, {
      fail: () => setOpen(false),
      confirm: (intent) =>
        confirmAtSandbox({
          intent,
          card,
          wallet: { name, email, ...(isShipped && { shipping: { name, address } }) },
          returnUrl: new URL(paths.paymentSuccess, location.origin).href,
        }),
    });
  }

  const shownPrice = isShipped ? priced : price;
  return (
    <>
      <OneTapButton
        onClick={() => {
          if (!onOpen()) return;
          setPriced(undefined);
          setOpen(true);
        }}
      />
      {isOpen && (
        <SandboxWallet
          asksAddress={isShipped}
          lines={shownPrice && walletLines(shownPrice)}
          totalCents={shownPrice?.totalAmount}
          isRefused={isRefused}
          onAddress={(address) => void chooseAddress(address)}
          onPay={pay}
          onClose={() => {
            setOpen(false);
            onCancel();
          }}
        />
      )}
    </>
  );
}
