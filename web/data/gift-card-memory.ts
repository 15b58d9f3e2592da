import { readFromSessionStorage, storeInSessionStorage } from './tab-memory.ts';

/**
 * The gift card codes that the buyer has entered at checkout, in their order. They are only in this tab, so that a
 * shared computer forgets them when the tab is closed.
 */
const key = 'giftCards';

interface EnteredGiftCards {
  codes: readonly string[];
  /** Why the API refused a code at payment. All codes are then removed. */
  refusal?: string;
}
const noEnteredCards: EnteredGiftCards = { codes: [] };

/** Undefined until the codes are read from storage. */
let currentCards: EnteredGiftCards | undefined;
const listeners = new Set<() => void>();

export function readEnteredGiftCards(): EnteredGiftCards {
  currentCards ??= { codes: (readFromSessionStorage(key) ?? '').split(' ').filter(Boolean) };
  return currentCards;
}
/** For server rendering, which cannot read the tab's storage. */
export const getEmptyGiftCards = () => noEnteredCards;

function setEnteredGiftCards(next: EnteredGiftCards) {
  currentCards = next;
  storeInSessionStorage(key, next.codes.length > 0 ? next.codes.join(' ') : null);
  for (const listener of listeners) listener();
}
export const addGiftCard = (code: string) =>
  setEnteredGiftCards({ codes: [...new Set([...readEnteredGiftCards().codes, code])] });
export const removeGiftCard = (code: string) =>
  setEnteredGiftCards({ codes: readEnteredGiftCards().codes.filter((entered) => entered !== code) });
export const clearGiftCards = () => setEnteredGiftCards(noEnteredCards);
/** Call this if the API refuses an entered code, for example because its money was spent in the meantime. */
export const refuseGiftCards = (refusal: string) => setEnteredGiftCards({ codes: [], refusal });

export function onGiftCards(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
