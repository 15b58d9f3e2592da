import { number, text } from '../search-params.ts';

/** The cart in an address: /customer-details?product=kinframe&quantity=1&extras=0. */
export const cartParams = { product: text(), quantity: number, extras: number };
