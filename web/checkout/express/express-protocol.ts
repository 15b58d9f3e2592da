import type { ApiResponseBody } from '../../data/api.ts';
import type { PayableIntent, PaymentAttemptResult } from '../card-form/card-form.tsx';
import type { WalletLine } from '../card-form/sandbox-wallet.tsx';
import type { WalletAddress } from '../card-form/wallet-address.ts';
import type { GivenByWallet } from './wallet-details.ts';

/** What a cart costs, as the shop has calculated it. */
export type CartPrice = ApiResponseBody<'POST /api/price-cart'>;

/** How a wallet pays. The buyer has confirmed, and the wallet waits. */
export interface WaitingWallet {
  /** Confirms the intent with the provider. Rejects if the provider cannot be reached. */
  confirm: (intent: PayableIntent) => Promise<PaymentAttemptResult>;
  /** Ends the wallet without a payment. */
  fail: (reason?: 'address') => void;
}

/**
 * The buttons of a provider's wallets on the details page. Stripe's buttons and the sandbox's call the same functions,
 * in the same order: `onOpen`, `onAddress` for each address, `onConfirm`.
 */
export interface ExpressButtonsProps {
  price: CartPrice;
  isShipped: boolean;
  /** Returns whether the wallet may open. */
  onOpen: () => boolean;
  /** Returns the price at an address, or undefined if the shop does not sell there. */
  onAddress: (address: WalletAddress) => Promise<CartPrice | undefined>;
  /** The buyer closed the wallet. */
  onCancel: () => void;
  onConfirm: (given: GivenByWallet, wallet: WaitingWallet) => Promise<void>;
  /** Whether the browser has a wallet that can pay. */
  onAvailable: (isAvailable: boolean) => void;
}

/**
 * The lines that a wallet shows. They never add up to more than the total. A discount is part of the first line, because
 * not every wallet shows negative amounts.
 */
export function walletLines({ lines, subtotalAmount, discountAmount, promoCode, taxAmount }: CartPrice): WalletLine[] {
  const productLines =
    discountAmount > 0
      ? [{ name: `Your order with ${promoCode ?? 'discount'}`, amount: subtotalAmount - discountAmount }]
      : lines.map(({ label, quantity, amountCents }) => ({
          name: quantity > 1 ? `${quantity} x ${label}` : label,
          amount: amountCents,
        }));
  return taxAmount === undefined ? productLines : [...productLines, { name: 'Tax', amount: taxAmount }];
}
