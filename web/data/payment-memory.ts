import type { Cart } from '#contract/catalog.ts';
import { paths } from '../paths.ts';
import { cartOf } from './cart.ts';

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
export const rememberAttempt = (attempt: Attempt) => write('sessionStorage', attemptKey, JSON.stringify(attempt));
export function rememberedAttempt(): Attempt | undefined {
  const { paymentIntentId, cart } = (readJson(attemptKey) ?? {}) as Partial<Attempt>;
  if (typeof paymentIntentId !== 'string') return;
  const { productId, quantity, extraPackages } = cart ?? {};
  return { paymentIntentId, cart: cartOf({ product: productId, quantity, extras: extraPackages }) };
}
export const forgetAttempt = () => write('sessionStorage', attemptKey, null);

export function rememberPaid(order: PaidOrder) {
  forgetAttempt();
  write('sessionStorage', paidKey, JSON.stringify(order));
  write('localStorage', paidAtKey, String(Date.now()));
}

/** Registration is done, so going back to the order leads to the photos. */
export function rememberRegistered() {
  const order = paidOrder();
  if (order) write('sessionStorage', paidKey, JSON.stringify({ ...order, next: paths.upload }));
}

export function paidOrder(): PaidOrder | undefined {
  const order = readJson(paidKey) as Partial<PaidOrder> | null;
  // A page of ours only: what stands in storage is not believed.
  if (order?.next !== paths.upload && order?.next !== paths.completeRegistration) return;
  return { next: order.next, ...(typeof order.session === 'string' && { session: order.session }) };
}

/** Step 1 begins a new purchase. A try whose outcome is unknown stays remembered: it may be this very purchase. */
export const beginNewOrder = () => write('sessionStorage', paidKey, null);

export const wasPaidSince = (moment: number) => Number(read('localStorage', paidAtKey) ?? 0) > moment;

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
    return JSON.parse(read('sessionStorage', key) ?? 'null');
  } catch {
    return null;
  }
}

function read(storage: 'localStorage' | 'sessionStorage', key: string): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null; // storage is switched off: the shop itself still charges nobody twice
  }
}

function write(storage: 'localStorage' | 'sessionStorage', key: string, text: string | null) {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
  } catch {
    // As above.
  }
}
