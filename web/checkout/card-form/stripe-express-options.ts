import type { AvailablePaymentMethods } from '@stripe/stripe-js';

/** How Stripe's wallet buttons look: as high as the shop's buttons, side by side where there is room. */
export const buttonStyle = {
  buttonHeight: 50,
  layout: { maxColumns: 2, maxRows: 0, overflow: 'never' },
  // The shop offers these four. The owner switches them on and off at Stripe.
  paymentMethods: { amazonPay: 'never', klarna: 'never' },
} as const;

export const hasWallet = (available: AvailablePaymentMethods | undefined): boolean =>
  Object.values(available ?? {}).some(Boolean);
