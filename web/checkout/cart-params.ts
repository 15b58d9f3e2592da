import { number, searchParams, text } from '../search-params.ts';

/** A promo code that a link brings: /product/kinframe?code=GIFT10. */
export const promoParam = { code: text(40) };
export const promoSearch = searchParams(promoParam);

const countParams = { quantity: number, extras: number };
/** What is chosen on a product's page: /product/kinframe?quantity=2&extras=1. */
export const choiceSearch = searchParams({ ...promoParam, ...countParams });

/** The cart in an address: /customer-details?product=kinframe&quantity=1&extras=0. */
export const cartParams = { ...promoParam, ...countParams, product: text() };
