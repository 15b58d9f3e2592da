import * as z from 'zod';
import { addressFormats } from './addresses.ts';
import type { Operations } from './operation.ts';

const { postalPattern, postalWrong } = addressFormats.US;

export const postalCodes = {
  'GET /api/postal-codes/:code': {
    summary: 'Read the city and the state of a ZIP code of the United States',
    who: 'anyone',
    params: z.object({ code: z.string().regex(postalPattern, postalWrong) }),
    response: z
      .object({
        /** The five digits of the ZIP code. */
        postalCode: z.string(),
        city: z.string(),
        /** The state's two letters, as in an address. */
        state: z.string(),
      })
      .meta({ id: 'PostalCode' }),
    refusals: ['not-found'],
    rate: 'postal-code',
  },
} satisfies Operations;
