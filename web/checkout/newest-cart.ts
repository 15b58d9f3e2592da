import { useLocation } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import type { Cart } from '#contract/catalog.ts';
import { cartOf } from '../data/cart.ts';
import { keepInTab, keptInTab } from '../data/tab-memory.ts';
import { searchParams } from '../search-params.ts';
import { cartParams } from './cart-params.ts';

const key = 'newestCart';
const readSearch = searchParams(cartParams);

interface Newest {
  cart: Cart;
  /** The steps of checkout in this tab's history, by the router's keys. */
  seen: string[];
}

/**
 * Going back to a step of checkout finds the number of packages chosen last, not the one its address was opened with:
 * such a step, at `path`, tells `onCart` to write it there. One that is opened anew says itself what is chosen.
 */
export function useNewestCart(path: '/customer-details' | '/checkout', onCart: (newest: Cart) => void): void {
  // Of the address all of it: while the next page is fetched, this one stands under that one's address.
  const { pathname, search, state } = useLocation();
  const entry = pathname === path ? state.__TSR_key : undefined;
  const look = useEffectEvent((here: string) => {
    const cart = cartOf(readSearch(search));
    const newest = readNewest();
    if (newest?.seen.includes(here) && isOtherNumber(newest.cart, cart)) return onCart(newest.cart);
    keepInTab(key, JSON.stringify({ cart, seen: [...new Set(newest?.seen).add(here)] } satisfies Newest));
  });
  useEffect(() => {
    if (entry) look(entry);
  }, [entry]);
}

const isOtherNumber = (newest: Cart, cart: Cart) =>
  newest.productId === cart.productId &&
  newest.quantity === cart.quantity &&
  newest.extraPackages !== cart.extraPackages;

function readNewest(): Newest | undefined {
  try {
    const { cart, seen } = JSON.parse(keptInTab(key) ?? 'null') as Newest;
    const { productId, quantity, extraPackages } = cart;
    return { cart: cartOf({ product: productId, quantity, extras: extraPackages }), seen: seen.map(String) };
  } catch {
    return undefined; // nothing was kept, or not by us
  }
}
