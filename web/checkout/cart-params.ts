import * as z from 'zod/mini';

const text = z.catch(z.optional(z.string()), undefined);
const number = z.catch(z.optional(z.coerce.number<number>()), undefined);

/** The cart in an address: /customer-details?product=kinframe&quantity=1&extras=0. */
export const CartParams = z.object({ product: text, quantity: number, extras: number });
