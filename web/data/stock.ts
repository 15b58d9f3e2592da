import { useQuery } from '@tanstack/react-query';
import type { Cart } from '#contract/catalog.ts';
import { stockQuery } from './queries.ts';
import { isShipped } from './cart.ts';

/**
 * How many frames are left; null if a buyer can order as many as usual. If it is not known, the page offers the frame:
 * the shop checks the stock again before the buyer pays.
 */
export const useFramesLeft = (): number | null => useQuery(stockQuery()).data?.framesLeft ?? null;

/** Whether a cart asks for more frames than are left. */
export const exceedsFrameStock = (cart: Cart, framesLeft: number | null): boolean =>
  isShipped(cart) && framesLeft !== null && framesLeft < cart.quantity;
