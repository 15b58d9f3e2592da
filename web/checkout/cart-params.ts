import { number, searchParams, text } from '../search-params.ts';

/** A promo code that a link brings: /product/kinframe?code=GIFT10. */
export const promoParam = { code: text(40) };
export const promoSearch = searchParams(promoParam);

/** The cart in an address: /customer-details?product=kinframe&quantity=1&extras=0. */
export const cartParams = { ...promoParam, product: text(), quantity: number, extras: number };
