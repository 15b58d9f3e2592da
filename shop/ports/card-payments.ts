export interface MoneyAddress {
  line1: string;
  line2?: string | undefined;
  city: string;
  state: string;
  postalCode: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}
/** What is asked of the provider: one amount, in integer cents of USD. */
export interface PaymentRequest {
  amountCents: number;
  currency: 'usd';
  /** Words for the buyer's statement and the provider's dashboard. */
  description: string;
  receiptEmail?: string;
  /** The buyer at the provider, from `createCustomer`. */
  customerId?: string;
  shipping?: { name: string; phone?: string; address: MoneyAddress };
  /** Our ids only, never personal data. */
  metadata: Record<string, string>;
  /** The calculation the amount's tax is from: the provider records it when the payment comes through. */
  taxCalculationId?: string;
}
/** What is to be taxed, and where. */
export interface TaxRequest {
  currency: 'usd';
  /** After discounts; tax comes on top. A `reference` is unique among its lines. */
  lines: { reference: string; kind: 'goods' | 'service'; quantity: number; amountCents: number }[];
  /** As much as is known of it; a country and a postal code suffice. */
  address: Partial<MoneyAddress> & Pick<MoneyAddress, 'country'>;
  addressSource: 'shipping' | 'billing';
}
export interface TaxCalculation {
  id: string;
  taxCents: number;
  /** Percent, without a sign: 8.875. Null where no single rate applies. */
  rate: string | null;
  /** Who imposes it, in words: New York. */
  jurisdiction: string | null;
}
export type PaymentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'canceled'
  | 'succeeded';
export interface PaymentIntent {
  id: string;
  clientSecret: string;
  status: PaymentStatus;
  amountCents: number;
  /** Received so far; equals amountCents once succeeded. */
  amountReceivedCents: number;
  currency: string;
  metadata: Record<string, string>;
  /** false for the sandbox and test keys. */
  livemode: boolean;
  chargeId?: string;
}
/** A payment on the provider's own page. */
export interface CheckoutSession {
  id: string;
  /** The intent it is paid by, once there is one. */
  intentId?: string;
}
export interface Refund {
  id: string;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  amountCents: number;
  intentId: string;
  /** Ours, as sent with it; empty for one that was made elsewhere. */
  metadata: Record<string, string>;
  /** Why it failed, as the provider names it. */
  failureReason?: string;
}
export interface RefundRequest {
  intentId: string;
  amountCents: number;
  reason?: string;
  /** Our ids only, never personal data. */
  metadata?: Record<string, string>;
}
/** A payment its cardholder's bank takes back, with its reason and state as the provider names them. */
export interface Dispute {
  id: string;
  intentId: string;
  amountCents: number;
  reason: string;
  status: string;
  /** The last moment for an answer to the bank. */
  respondBy?: Date;
}
/** The card's issuer thinks a payment was not its holder's; a dispute often follows. */
export interface FraudWarning {
  id: string;
  /** What kind of fraud, as the provider names it. */
  fraudType: string;
}
/** What the provider tells of a paid card: never more than its brand and last four digits. */
export interface ChargedCard {
  brand: string;
  last4: string;
}
/** A verified webhook, reduced to what the shop acts on. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** The payment intent it is about, where it is about one. */
  intentId?: string;
  livemode: boolean;
}
/** Until when an answer is of use: one deadline may stand for several calls. After it they reject as `unavailable`. */
export interface WithDeadline {
  deadline?: AbortSignal | undefined;
}
/** An outage or a refusal of the provider, told apart because the customer is told apart. */
export class PaymentProviderError extends Error {
  override name = 'PaymentProviderError';
  readonly reason: 'unavailable' | 'rejected' | 'not-found';
  constructor(reason: PaymentProviderError['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
export interface CardPayments {
  readonly kind: 'sandbox' | 'stripe';
  /** What the browser needs to load the provider's form: undefined in the sandbox. */
  readonly publishableKey: string | undefined;
  readonly livemode: boolean;
  /** Whose money it moves: another account knows nothing of its intents. Null where the provider does not say, or not in time. */
  account(options?: WithDeadline): Promise<string | null>;
  /** Undefined when the provider cannot place the address. */
  calculateTax(request: TaxRequest, options?: WithDeadline): Promise<TaxCalculation | undefined>;
  /** Answers the provider's id of this buyer. */
  createCustomer(
    buyer: { name: string; email: string },
    idempotencyKey: string,
    options?: WithDeadline,
  ): Promise<string>;
  /** Rejects as `not-found` when the provider no longer has the request's customer. */
  createIntent(request: PaymentRequest, idempotencyKey: string, options?: WithDeadline): Promise<PaymentIntent>;
  /** Undefined when the provider knows no such intent. */
  getIntent(intentId: string): Promise<PaymentIntent | undefined>;
  /** Undefined when the provider knows no such session. */
  getCheckoutSession(sessionId: string): Promise<CheckoutSession | undefined>;
  /** The card's holder as the provider was told, for a payment whose buyer told us nothing. */
  payerOf(chargeId: string): Promise<{ name?: string; email?: string; card?: ChargedCard }>;
  /** What the provider keeps of a paid intent, in cents of its currency; undefined while it does not say. Refunds return none of it. */
  feeOf(intentId: string): Promise<number | undefined>;
  /** Cancel an intent nobody has paid; answers the intent as it then stands (it may have been paid meanwhile). */
  cancelIntent(intentId: string): Promise<PaymentIntent>;
  refund(request: RefundRequest, idempotencyKey: string): Promise<Refund>;
  /** Every refund of a payment as it stands now, also those made at the provider itself; newest first. */
  refundsOf(intentId: string): Promise<Refund[]>;
  /** Every dispute of a payment as it stands now, newest first. */
  disputesOf(intentId: string): Promise<Dispute[]>;
  /** Every early fraud warning of a payment. */
  fraudWarningsOf(intentId: string): Promise<FraudWarning[]>;
  /** `forged` when the signature does not fit the raw body, `unreadable` when it does and the body tells of nothing. */
  readWebhook(rawBody: Buffer, signature: string): PaymentEvent | 'forged' | 'unreadable';
  check(): Promise<void>;
}
