import { keepInTab, keptInTab } from './tab-memory.ts';

/** The promo code this tab goes to the checkout with, entered there or brought by a link. */
const key = 'promoCode';

export interface RememberedCode {
  code: string;
  /** Why the shop did not take it when it came to paying. */
  refusal?: string;
}

export function rememberPromoCode(typed: string) {
  const code = typed.trim();
  if (code !== '') set({ code });
}
export const forgetPromoCode = () => set(undefined);
/** It was good a moment ago: others were faster, or its last day is over. */
export const refusePromoCode = (code: string, refusal: string) => set({ code, refusal });

/** Null: not looked for yet. */
let current: RememberedCode | undefined | null = null;
const listeners = new Set<() => void>();

export function rememberedPromoCode(): RememberedCode | undefined {
  if (current === null) {
    const code = keptInTab(key);
    current = code === null ? undefined : { code };
  }
  return current;
}

function set(next: RememberedCode | undefined) {
  current = next;
  keepInTab(key, next?.code ?? null);
  for (const tell of listeners) tell();
}

export function onPromoCode(tell: () => void) {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}
