/** The sandbox's test cards, with Stripe's numbers and names. */
export const testCards = {
  pays: '4242424242424242',
  declines: '4000000000000002',
  insufficientFunds: '4000000000009995',
  expired: '4000000000000069',
  wrongCvc: '4000000000000127',
  /** Requires the buyer to authenticate on a separate page. */
  authenticates: '4000002500003155',
  /** The payment is `processing` first and succeeds a few seconds later. */
  processes: '4000000000000077',
} as const;

export type TestCard = keyof typeof testCards;

/** The form fields of a request that confirms a payment with this card. */
export function createCardFields(card: TestCard): Record<string, string> {
  return {
    'payment_method_data[type]': 'card',
    'payment_method_data[card][number]': testCards[card],
    'payment_method_data[card][exp_month]': '12',
    'payment_method_data[card][exp_year]': '2040',
    'payment_method_data[card][cvc]': '123',
  };
}
