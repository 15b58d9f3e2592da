import type { Cart } from '#contract/catalog.ts';
import { paths } from '../paths.ts';
import { cartOf } from './cart.ts';
import { keepInTab, keptInTab } from './tab-memory.ts';

/** What this browser remembers of its payments, so that going back, reloading and second windows do no harm. */

/** The intent a payment was last tried with in this tab. Its outcome is asked for before another one is made. */
const attemptKey = 'paymentAttempt';
/** The order this tab has paid, until it starts another. */
const paidKey = 'paidOrder';
/** When any tab last paid, in ms; other tabs with the same checkout open listen to it. */
const paidAtKey = 'kinframePaidAt';

export interface PaidOrder {
  /** Where the buyer goes on. */
  next: string;
  /** The order-access token, when the shop gave it to this browser. */
  session?: string | undefined;
}

interface Attempt {
  paymentIntentId: string;
  cart: Cart;
}
export const rememberAttempt = (attempt: Attempt) => keepInTab(attemptKey, JSON.stringify(attempt));
export function rememberedAttempt(): Attempt | undefined {
  const { paymentIntentId, cart } = (readJson(attemptKey) ?? {}) as Partial<Attempt>;
  if (typeof paymentIntentId !== 'string') return;
  const { productId, quantity, extraPackages } = cart ?? {};
  return { paymentIntentId, cart: cartOf({ product: productId, quantity, extras: extraPackages }) };
}
export const forgetAttempt = () => keepInTab(attemptKey, null);

export function rememberPaid(order: PaidOrder) {
  forgetAttempt();
  keepInTab(paidKey, JSON.stringify(order));
  try {
    localStorage.setItem(paidAtKey, String(Date.now()));
  } catch {
    // Storage is switched off: the shop itself still charges nobody twice.
  }
}

/** Registration is done, so going back to the order leads to the photos. */
export function rememberRegistered() {
  const order = paidOrder();
  if (order) keepInTab(paidKey, JSON.stringify({ ...order, next: paths.upload }));
}

export function paidOrder(): PaidOrder | undefined {
  const order = readJson(paidKey) as Partial<PaidOrder> | null;
  // A page of ours only: what stands in storage is not believed.
  if (order?.next !== paths.upload && order?.next !== paths.completeRegistration) return;
  return { next: order.next, ...(typeof order.session === 'string' && { session: order.session }) };
}

/** Step 1 begins a new purchase. A try whose outcome is unknown stays remembered: it may be this very purchase. */
export const beginNewOrder = () => keepInTab(paidKey, null);

export function wasPaidSince(moment: number): boolean {
  try {
    return Number(localStorage.getItem(paidAtKey)) > moment;
  } catch {
    return false; // as above
  }
}

/** Hear of a payment in another tab. */
export function onPaidElsewhere(tell: () => void) {
  const hear = (event: StorageEvent) => {
    if (event.key === paidAtKey && event.newValue) tell();
  };
  addEventListener('storage', hear);
  return () => removeEventListener('storage', hear);
}

function readJson(key: string): unknown {
  try {
    return JSON.parse(keptInTab(key) ?? 'null');
  } catch {
    return null;
  }
}
