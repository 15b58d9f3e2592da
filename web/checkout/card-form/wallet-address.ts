/** An address as a wallet gives it, in Stripe's terms. Wallets leave out fields, or give empty texts. */
export interface WalletAddress {
  line1?: string | null | undefined;
  line2?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  postal_code?: string | null | undefined;
  country?: string | null | undefined;
}
