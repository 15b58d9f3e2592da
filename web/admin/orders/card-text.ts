const brands: Record<string, string> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** Names the card that gets a refund. Null while the provider cannot be reached. */
export const cardText = (card: { brand: string; last4: string } | null): string =>
  card ? `the ${brands[card.brand] ?? card.brand} card ending in ${card.last4}` : 'the card it was paid with';

/** Names gift cards by the last four characters of their codes. */
export const giftCardsText = (lastFours: readonly string[]): string =>
  `the gift ${lastFours.length === 1 ? 'card' : 'cards'} ending in ${lastFours.join(' and ')}`;
