import type { DeliveryTimes } from '#contract/catalog.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Payment } from './payments.sql.ts';

/** The cardholder's details at the provider, if the buyer gave the shop none. */
export interface Payer {
  name?: string;
  email?: string;
}
/**
 * The dependencies of `place` and `notifyGivenBack`. They are loaded before the transaction begins, so that the
 * transaction makes no requests.
 */
export interface PlacingScope {
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
  ownersMailbox: string;
  deliveryTimes: DeliveryTimes;
}

/** What a payment is for. Each method runs in the transaction that changes the payment's state. */
export interface PaymentPurpose {
  /**
   * Fulfills the purchase, once. Returns false if another payment has already fulfilled it, or if it is no longer
   * available. The caller then refunds this payment.
   */
  place(tx: Db, scope: PlacingScope, payment: Payment, payer: Payer): Promise<boolean>;
  /**
   * Called after the bank has authorized a payment that is captured later. Reserves what is limited, such as a use of a
   * promo code, before the card is charged. A repeated call returns the same result. Returns false if the purchase is
   * no longer available; the card is then not charged.
   */
  reserveLimited(tx: Db, clock: Clock, purposeId: string): Promise<boolean>;
  /** Called when the payment buys nothing. Releases what `reserveLimited` has reserved. */
  release(tx: Db, clock: Clock, purposeId: string): Promise<void>;
  /** Deletes the buyers' data of old purchases that were never fulfilled. */
  deleteBuyerDetails(tx: Db, purposeIds: string[]): Promise<void>;
  /** Called after the payment was refunded in full. Notifies the owner (order) or the buyer (add-on). */
  notifyGivenBack(tx: Db, scope: PlacingScope, payment: Payment): Promise<void>;
}
export type PaymentPurposes = Record<Payment['purpose'], PaymentPurpose>;
