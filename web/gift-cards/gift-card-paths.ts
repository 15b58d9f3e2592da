/** Not in paths.ts, because the script of every public page contains paths.ts. */
export const giftCardPaths = {
  balance: '/gift-cards/balance',
  paid: '/gift-cards/paid',
  /** `token`: opens the purchase of a gift card. */
  bought: (token: string) => `/gift-cards/${token}`,
} as const;
