import type { Cart } from '#contract/catalog.ts';
import { paths } from '../paths.ts';
import { createCart } from './cart.ts';
import { storeInSessionStorage, readFromSessionStorage } from './tab-memory.ts';

/** The browser stores its payments, because a buyer can go back, reload or open a second window and would pay twice. */

/** The intent of this tab's last payment attempt. The tab queries its result before it creates another intent. */
const attemptKey = 'paymentAttempt';
/** The order that this tab has paid. Removed when the tab starts another order. */
const paidKey = 'paidOrder';
/** The time of the last payment in any tab, in ms. Tabs with an open checkout listen for changes of this key. */
const paidAtKey = 'kinframePaidAt';

export interface PaidOrder {
  /** The page where the buyer continues. */
  next: string;
  /** The order-access token, if the API returned one to this browser. */
  session?: string | undefined;
}

interface Attempt {
  paymentIntentId: string;
  cart: Cart;
  /** Whether the provider has accepted the payment, so that only the verification is left. */
  isConfirmed?: boolean | undefined;
}
export const storePaymentAttempt = (attempt: Attempt) => storeInSessionStorage(attemptKey, JSON.stringify(attempt));
export function readStoredPaymentAttempt(): Attempt | undefined {
  const { paymentIntentId, cart, isConfirmed } = (readJson(attemptKey) ?? {}) as Partial<Attempt>;
  if (typeof paymentIntentId !== 'string') return;
  const { productId, quantity, extraPackages } = cart ?? {};
  return {
    paymentIntentId,
    cart: createCart({ product: productId, quantity, extras: extraPackages }),
    isConfirmed: isConfirmed === true,
  };
}
export const clearPaymentAttempt = () => storeInSessionStorage(attemptKey, null);

export function rememberPaidOrder(order: PaidOrder) {
  clearPaymentAttempt();
  storeInSessionStorage(paidKey, JSON.stringify(order));
  try {
    localStorage.setItem(paidAtKey, String(Date.now()));
  } catch {
    // The browser's storage is off. The server still prevents a second charge.
  }
}

/** Call this after the registration: from then on, the paid order leads to the upload page. */
export function rememberRegistration() {
  const order = readPaidOrder();
  if (order) storeInSessionStorage(paidKey, JSON.stringify({ ...order, next: paths.upload }));
}

export function readPaidOrder(): PaidOrder | undefined {
  const order = readJson(paidKey) as Partial<PaidOrder> | null;
  // Storage is untrusted, so accept only these two pages of the shop.
  if (order?.next !== paths.upload && order?.next !== paths.completeRegistration) return;
  return { next: order.next, ...(typeof order.session === 'string' && { session: order.session }) };
}

/**
 * Call this in step 1 of checkout, where a new purchase begins. Forgets the paid order. Keeps a payment attempt with an
 * unknown result, because the attempt can belong to the new purchase.
 */
export const beginNewOrder = () => storeInSessionStorage(paidKey, null);

export function wasPaidSince(moment: number): boolean {
  try {
    return Number(localStorage.getItem(paidAtKey)) > moment;
  } catch {
    return false; // storage is off, see rememberPaidOrder
  }
}

/** Subscribe to payments in other tabs. Returns the function that unsubscribes. */
export function onPaidInOtherTab(listener: () => void) {
  const onStorage = (event: StorageEvent) => {
    if (event.key === paidAtKey && event.newValue) listener();
  };
  addEventListener('storage', onStorage);
  return () => removeEventListener('storage', onStorage);
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(readFromSessionStorage(key) ?? 'null');
  } catch {
    return null;
  }
}
