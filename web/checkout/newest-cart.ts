import { useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { createCart } from '../data/cart.ts';
import { storeInSessionStorage, readFromSessionStorage } from '../data/tab-memory.ts';
import { defineSearchParams } from '../search-params.ts';
import { cartParams } from './cart-params.ts';

const key = 'newestCart';
const readSearch = defineSearchParams(cartParams);

interface Newest {
  cart: Cart;
  /** The router's keys of the history entries of this tab in which a checkout step was open. */
  seen: string[];
}

/**
 * If the buyer changes the number of extra packages in one checkout step and goes back to the other, that step's
 * address still has the old number. This hook then calls `onCart` with the newest cart, to write it to the address.
 * `path` is the path of the step. A newly opened step keeps the cart of its address.
 */
export function useNewestCart(path: '/customer-details' | '/checkout', onCart: (newest: Cart) => void): void {
  // Compare the path too: while the next page loads, this page is still mounted, but the location is the next page's.
  const { pathname, search, state } = useLocation();
  const historyEntryKey = pathname === path ? state.__TSR_key : undefined;
  const checkEntry = useEffectEvent((here: string) => {
    const cart = createCart(readSearch(search));
    const newestCart = readNewest();
    if (newestCart?.seen.includes(here) && isOtherNumber(newestCart.cart, cart)) return onCart(newestCart.cart);
    storeInSessionStorage(
      key,
      JSON.stringify({ cart, seen: [...new Set(newestCart?.seen).add(here)] } satisfies Newest),
    );
  });
  useEffect(() => {
    if (historyEntryKey) checkEntry(historyEntryKey);
  }, [historyEntryKey]);
}

const isOtherNumber = (newest: Cart, cart: Cart) =>
  newest.productId === cart.productId &&
  newest.quantity === cart.quantity &&
  newest.extraPackages !== cart.extraPackages;

function readNewest(): Newest | undefined {
  try {
    const { cart, seen } = JSON.parse(readFromSessionStorage(key) ?? 'null') as Newest;
    const { productId, quantity, extraPackages } = cart;
    return { cart: createCart({ product: productId, quantity, extras: extraPackages }), seen: seen.map(String) };
  } catch {
    return undefined; // nothing is stored, or the stored text is not from this code
  }
}
