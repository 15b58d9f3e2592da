import { tidyCode } from '#contract/tidy.ts';
import { storeInSessionStorage, readFromSessionStorage } from './tab-memory.ts';

/** This tab's promo code for checkout. The visitor enters the code at checkout, or opens a link that contains it. */
const key = 'promoCode';

export interface RememberedCode {
  code: string;
  /** Why the API refused the code at payment. */
  refusal?: string;
}

export function rememberPromoCode(typed: string) {
  const code = tidyCode(typed);
  if (code !== '') setRememberedCode({ code });
}
export const clearPromoCode = () => setRememberedCode(undefined);
/** Call this if a code that was valid is refused: other customers have used it up, or its last day has passed. */
export const refusePromoCode = (code: string, refusal: string) => setRememberedCode({ code, refusal });

/** Null until the code is read from storage. */
let currentCode: RememberedCode | undefined | null = null;
const listeners = new Set<() => void>();

export function readRememberedPromoCode(): RememberedCode | undefined {
  if (currentCode === null) {
    const code = readFromSessionStorage(key);
    currentCode = code === null ? undefined : { code };
  }
  return currentCode;
}

function setRememberedCode(next: RememberedCode | undefined) {
  currentCode = next;
  storeInSessionStorage(key, next?.code ?? null);
  for (const listener of listeners) listener();
}

export function onPromoCode(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
