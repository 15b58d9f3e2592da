export interface MoneyAddress {
  line1: string;
  line2?: string | undefined;
  city: string;
  state: string;
  postalCode: string;
  /** The country code (ISO 3166-1 alpha-2). */
  country: string;
}
/** A request to the provider for one amount, in integer cents of USD. */
export interface PaymentRequest {
  amountCents: number;
  currency: 'usd';
  /** Text for the buyer's statement and the provider's dashboard. */
  description: string;
  receiptEmail?: string;
  /** The buyer's id at the provider, from `createCustomer`. */
  customerId?: string;
  shipping?: { name: string; phone?: string; address: MoneyAddress };
  /** Only ids of the shop, never personal data. */
  metadata: Record<string, string>;
  /** The bank only authorizes the amount. `captureIntent` charges the card later. */
  isCapturedLater?: boolean;
  /** The tax calculation that the amount contains. The provider records the tax when the payment succeeds. */
  taxCalculationId?: string;
}
/** The lines to tax, and the address that decides the tax. */
export interface TaxRequest {
  currency: 'usd';
  /** Amounts after discounts; tax is added to them. Each `reference` is unique among the lines. */
  lines: { reference: string; kind: 'goods' | 'service'; quantity: number; amountCents: number }[];
  /** The known part of the address. A country and a postal code are enough. */
  address: { [Field in keyof MoneyAddress]?: MoneyAddress[Field] | undefined } & Pick<MoneyAddress, 'country'>;
  addressSource: 'shipping' | 'billing';
}
export interface TaxCalculation {
  id: string;
  taxCents: number;
  /** The tax rate in percent, such as 8.875. Null if there is no single rate. */
  rate: string | null;
  /** The name of the tax authority, such as New York. */
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
  /** Cents received so far. After the payment has succeeded, this equals `amountCents`. */
  amountReceivedCents: number;
  currency: string;
  metadata: Record<string, string>;
  /** False for the sandbox and for test keys. */
  livemode: boolean;
  chargeId?: string;
}
/** A payment on the provider's own page. */
export interface CheckoutSession {
  id: string;
  /** The intent that pays the session, once there is one. */
  intentId?: string;
}
export interface Refund {
  id: string;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  amountCents: number;
  intentId: string;
  /** The shop's metadata, as sent with the refund; empty for a refund that was made elsewhere. */
  metadata: Record<string, string>;
  /** Why the refund failed, in the provider's terms. */
  failureReason?: string;
}
export interface RefundRequest {
  intentId: string;
  amountCents: number;
  reason?: string;
  /** Only ids of the shop, never personal data. */
  metadata?: Record<string, string>;
}
/** A payment that the cardholder disputes at the bank. `reason` and `status` are the provider's terms. */
export interface Dispute {
  id: string;
  intentId: string;
  amountCents: number;
  reason: string;
  status: string;
  /** The deadline for a response to the bank. */
  respondBy?: Date;
}
/** The card's issuer suspects that the cardholder did not make the payment. A dispute often follows. */
export interface FraudWarning {
  id: string;
  /** The kind of fraud, in the provider's terms. */
  fraudType: string;
}
/** A movement of money on the shop's balance at the provider. */
export interface BalanceTransaction {
  id: string;
  /**
   * `refund-failed`: a refund that came back; `dispute`: the bank has taken a payment back; `dispute-returned`: the bank
   * has returned it; `service-fee`: a fee that belongs to no payment; `payout`: a transfer to the shop's bank account.
   */
  kind: 'payment' | 'refund' | 'refund-failed' | 'dispute' | 'dispute-returned' | 'service-fee' | 'payout' | 'other';
  /** The kind in the provider's terms. */
  category: string;
  /** Before the fee; negative if the money leaves the balance. In integer cents of `currency`. */
  amountCents: number;
  /** The fee that the provider deducts from the amount. */
  feeCents: number;
  currency: string;
  createdAt: Date;
  /** The payment that the money belongs to, if the provider names one. */
  intentId?: string;
  /** The provider's id of the refund or dispute. */
  subjectId?: string;
}
/** What the provider reports about a paid card: never more than its brand and last four digits. */
export interface ChargedCard {
  brand: string;
  last4: string;
}
/** A verified webhook, reduced to the fields that the shop uses. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** The payment intent that the event is about, if any. */
  intentId?: string;
  livemode: boolean;
}
/**
 * The time after which the provider's response is of no use. Several requests may share one deadline. After it, they
 * reject as `unavailable`.
 */
export interface RequestDeadline {
  deadline?: AbortSignal | undefined;
}
/** An outage of the provider, or a request that it refused. Only after `unavailable` may a retry succeed. */
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
  /** The key that the browser needs to load the provider's form; undefined in the sandbox. */
  readonly publishableKey: string | undefined;
  readonly livemode: boolean;
  /**
   * The id of the shop's account at the provider. Another account cannot read its intents. Null if the provider does
   * not report it, or does not report it in time.
   */
  readAccountId(options?: RequestDeadline): Promise<string | null>;
  /** Returns undefined if the provider does not recognize the address. */
  calculateTax(request: TaxRequest, options?: RequestDeadline): Promise<TaxCalculation | undefined>;
  /** Returns the provider's id for this buyer. */
  createCustomer(
    buyer: { name: string; email: string },
    idempotencyKey: string,
    options?: RequestDeadline,
  ): Promise<string>;
  /** Rejects as `not-found` if the provider no longer has the customer of the request. */
  createIntent(request: PaymentRequest, idempotencyKey: string, options?: RequestDeadline): Promise<PaymentIntent>;
  /** Returns undefined if the provider has no such intent. */
  getIntent(intentId: string): Promise<PaymentIntent | undefined>;
  /** Returns undefined if the provider has no such session. */
  getCheckoutSession(sessionId: string): Promise<CheckoutSession | undefined>;
  /** The cardholder's details at the provider, for a payment whose buyer gave the shop no details. */
  readPayer(chargeId: string): Promise<{ name?: string; email?: string; card?: ChargedCard }>;
  /**
   * The provider's fee for a paid intent, in cents of the intent's currency; undefined until the provider reports it in
   * this currency. Refunds do not return the fee.
   */
  readFeeCents(intentId: string): Promise<number | undefined>;
  /**
   * The movements on the shop's balance since `from` and before `until`, newest first, in pages. Rejects as
   * `unavailable` during an outage, possibly after some pages.
   */
  listBalanceTransactions(span: { from: Date; until: Date }): AsyncGenerator<BalanceTransaction[], void>;
  /** Charges the authorized amount. Returns the current intent, which may have been canceled in the meantime. */
  captureIntent(intentId: string): Promise<PaymentIntent>;
  /**
   * Cancels an unpaid intent and releases its authorization. Returns the current intent, which may have been paid in
   * the meantime.
   */
  cancelIntent(intentId: string): Promise<PaymentIntent>;
  refund(request: RefundRequest, idempotencyKey: string): Promise<Refund>;
  /** All current refunds of a payment, newest first, including those made at the provider itself. */
  listRefundsOf(intentId: string): Promise<Refund[]>;
  /** All current disputes of a payment, newest first. */
  listDisputesOf(intentId: string): Promise<Dispute[]>;
  /** All early fraud warnings of a payment. */
  listFraudWarningsOf(intentId: string): Promise<FraudWarning[]>;
  /**
   * Returns `forged` if the signature does not match the raw body, and `unreadable` if it matches but the body cannot
   * be used.
   */
  readWebhook(rawBody: Buffer, signature: string): PaymentEvent | 'forged' | 'unreadable';
  check(): Promise<void>;
}
