import type { DeliveryTimes } from '../orders/delivery-estimate.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Payment } from './payments.sql.ts';

/** The card's holder as the provider was told, where the buyer told us nothing. */
export interface Payer {
  name?: string;
  email?: string;
}
/** Inside a transaction nothing else is asked for on the side. */
export interface PlacingScope {
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
  ownersMailbox: string;
  deliveryTimes: DeliveryTimes;
}

/** What money is paid for. Each verb runs in the transaction that moves the payment. */
export interface Purpose {
  /**
   * Place what was paid for, once. False when it has been placed for another payment, or cannot be had any more: then
   * this money goes back.
   */
  place(tx: Db, scope: PlacingScope, payment: Payment, payer: Payer): Promise<boolean>;
  /** The payment places nothing: let go of what was held for it. */
  release(tx: Db, purposeId: string): Promise<void>;
  /** Nobody has paid for these, long ago: forget who wanted them. */
  forget(tx: Db, purposeIds: string[]): Promise<void>;
  /** Its money has gone back by itself: tell who should know. */
  tellGivenBack(tx: Db, scope: PlacingScope, payment: Payment): Promise<void>;
}
export type Purposes = Record<Payment['purpose'], Purpose>;
