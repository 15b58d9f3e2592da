/**
 * What the business needs from outside. Adapters make each port real, the embedded default beside the distributed one,
 * and both are held to the same tests.
 */
import type { Readable } from 'node:stream';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Assume } from 'drizzle-orm';
import type { MotionStyle } from '#contract/motion.ts';

// ---------------------------------------------------------------- database

/** What both drivers (PGlite, node-postgres) answer to a raw statement. */
export interface RowsResult extends PgQueryResultHKT {
  type: RowsOf<Assume<this['row'], Record<string, unknown>>>;
}
interface RowsOf<Row> {
  rows: Row[];
}
/** The database, or a transaction on it: verbs take either and pass on what they were given. */
export type Db = PgDatabase<RowsResult>;

// ---------------------------------------------------------------- jobs

/** Every background job by queue name, with its data. A job may run twice and must not matter. */
export interface JobData {
  'send-mail': { mailId: string };
  'mail-password-reset': { email: string };
  'render-video': { videoId: string; take: number };
  /** A render that was killed or ran out of time on its last try. */
  'give-up-video': { videoId: string; take: number };
  'refund-payment': { paymentId: string };
  /** Ask the provider for a refund the owner has decided on. */
  'ask-refund': { refundId: string };
  'follow-refunds': { intentId: string };
  'follow-disputes': { intentId: string };
  'settle-payment': { intentId: string };
  'settle-open-payments': Record<string, never>;
  'remind-photos': Record<string, never>;
  'sweep-files': Record<string, never>;
}
export type JobName = keyof JobData;

export interface KnownJob {
  /** failing: tried in vain, and tried again; failed: given up. */
  state: 'waiting' | 'failing' | 'done' | 'failed';
  /** What the last try failed of. */
  problem: string | undefined;
  nextTryAt: Date;
}

export interface Jobs {
  /** Enqueue in the caller's transaction: the job exists exactly when the commit does. `key` makes a second one a no-op while the first waits. */
  enqueue<N extends JobName>(
    tx: Db,
    name: N,
    data: JobData[N],
    options?: { key?: string; afterSeconds?: number },
  ): Promise<void>;
  /** Several jobs of one name in one step. */
  enqueueAll<N extends JobName>(tx: Db, name: N, data: JobData[N][]): Promise<void>;
  /** How the job with this data stands; undefined when the queue does not know it, or no more. */
  find<N extends JobName>(tx: Db, name: N, data: JobData[N]): Promise<KnownJob | undefined>;
}

// ---------------------------------------------------------------- clock

export interface Clock {
  /** The present moment; stored and compared in UTC. */
  now(): Date;
}

// ---------------------------------------------------------------- storage

/** What a stored file is, without its bytes. */
export interface StoredFile {
  sizeBytes: number;
  contentType: string;
  modifiedAt: Date;
}

/**
 * Private files under slash-separated keys of [a-zA-Z0-9._-] segments (`originals/3f…`, `videos/9c….mp4`).
 * A key is written once; a reader sees the whole file or none.
 */
export interface Storage {
  readonly kind: 'directory' | 's3';
  /** Store a finished file from local disk, durable when this resolves. The source file may be moved away. */
  putFile(key: string, path: string, contentType: string): Promise<void>;
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Undefined when there is no such file. */
  stat(key: string): Promise<StoredFile | undefined>;
  /** Stream the file, or the inclusive byte range; rejects with StorageMissing when there is no such file. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** A local path holding the file's bytes while `use` runs; never written to by the user. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Deleting what is not there is fine. */
  delete(key: string): Promise<void>;
  /** Keys below a prefix with their ages, in no order. */
  list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date; sizeBytes: number }>;
  /** Resolves when a write and a read work now; for readiness and the doctor. */
  check(): Promise<void>;
}
export class StorageMissing extends Error {
  override name = 'StorageMissing';
  constructor(key: string) {
    super(`no stored file ${key}`);
  }
}
/** The store has no room or refuses: answered as 507 in words. */
export class StorageFull extends Error {
  override name = 'StorageFull';
}

// ---------------------------------------------------------------- mail

/** A finished letter, ready to be sent. */
export interface Letter {
  /** Stable id of the event it tells about; becomes the Message-ID, so a second sending is recognisably the same mail. */
  id: string;
  to: string;
  from: string;
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  date: Date;
}
export interface Mailer {
  readonly kind: 'outbox' | 'smtp';
  /** Resolves once the mail is accepted for delivery; sending the same letter id again must not make a second file in the outbox. */
  send(letter: Letter): Promise<void>;
  check(): Promise<void>;
  /** Let go of open connections, where there are any. */
  close?(): void;
}

// ---------------------------------------------------------------- payments

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
  /** Undefined when the provider cannot place the address. */
  calculateTax(request: TaxRequest): Promise<TaxCalculation | undefined>;
  /** Answers the provider's id of this buyer. */
  createCustomer(buyer: { name: string; email: string }, idempotencyKey: string): Promise<string>;
  /** Rejects as `not-found` when the provider no longer has the request's customer. */
  createIntent(request: PaymentRequest, idempotencyKey: string): Promise<PaymentIntent>;
  /** Undefined when the provider knows no such intent. */
  getIntent(intentId: string): Promise<PaymentIntent | undefined>;
  /** The card's holder as the provider was told, for a payment whose buyer told us nothing. */
  payerOf(chargeId: string): Promise<{ name?: string; email?: string; card?: ChargedCard }>;
  /** Cancel an intent nobody has paid; answers the intent as it then stands (it may have been paid meanwhile). */
  cancelIntent(intentId: string): Promise<PaymentIntent>;
  refund(request: RefundRequest, idempotencyKey: string): Promise<Refund>;
  /** Every refund of a payment as it stands now, also those made at the provider itself; newest first. */
  refundsOf(intentId: string): Promise<Refund[]>;
  /** Every dispute of a payment as it stands now, newest first. */
  disputesOf(intentId: string): Promise<Dispute[]>;
  /** Undefined when the signature does not fit the raw body. */
  readWebhook(rawBody: Buffer, signature: string): PaymentEvent | undefined;
  check(): Promise<void>;
}

// ---------------------------------------------------------------- imaging

export type PhotoMime = 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/heic' | 'image/heif';
/** A refused photo: what is wrong with the bytes. The words are the contract's. */
export class UnusablePhoto extends Error {
  override name = 'UnusablePhoto';
  readonly reason: 'not-a-photo' | 'damaged' | 'too-many-pixels' | 'too-slow';
  constructor(reason: UnusablePhoto['reason'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
export interface DevelopedPhoto {
  mime: PhotoMime;
  /** Size upright, in pixels of the original. */
  width: number;
  height: number;
  /** Local files in the given folder, all upright, sRGB and free of metadata. */
  displayPath: string;
  thumbnailPath: string;
}
export interface Imaging {
  /** Sniffed from the bytes; undefined when it is none of the seven photo types. */
  sniff(path: string): Promise<PhotoMime | undefined>;
  /**
   * Decode a photo in a child that can be killed (no network, empty environment, memory and time limits) and write its
   * display copy (JPEG, at most 2560 px) and thumbnail (WebP, 480 px) into `folder`. Rejects with UnusablePhoto.
   */
  develop(path: string, folder: string): Promise<DevelopedPhoto>;
}

// ---------------------------------------------------------------- animation

export interface AnimateRequest {
  /** Idempotency key: the video's id. */
  id: string;
  /** A display copy on local disk: upright JPEG without metadata. */
  sourcePath: string;
  style: MotionStyle;
  seconds: number;
  /** Where to look, 0 to 1 from the left top; found by the renderer when absent. */
  focus?: { x: number; y: number };
  /** Local files to write. */
  videoPath: string;
  posterPath: string;
  onProgress?: (fraction: number) => void;
  signal?: AbortSignal;
}
export interface AnimatedVideo {
  width: number;
  height: number;
  seconds: number;
  sizeBytes: number;
}
export class AnimationError extends Error {
  override name = 'AnimationError';
  /** Whether trying the same again may help. */
  readonly retryable: boolean;
  constructor(message: string, retryable: boolean, options?: ErrorOptions) {
    super(message, options);
    this.retryable = retryable;
  }
}
export interface Animator {
  readonly id: string;
  /** Writes an MP4 (H.264, yuv420p, faststart, sized for the panel, loop-friendly) and a JPEG poster. Rejects with AnimationError. */
  animate(request: AnimateRequest): Promise<AnimatedVideo>;
  check(): Promise<void>;
}
