import { findPostalCode } from '#shop/postal-codes/postal-codes.ts';
import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';

export function registerPostalCodeRoutes({ app, shop }: HttpScope): void {
  mountOperation(app, 'GET /api/postal-codes/:code', async ({ params, reply }) => {
    const foundPostalCode = await findPostalCode(shop.postalCodes, params.code);
    reply.header('cache-control', 'private, max-age=86400');
    return foundPostalCode;
  });
}
