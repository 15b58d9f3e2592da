import type { HttpScope } from './common/http-scope.ts';
import { mountOperation } from './common/serve.ts';

export function registerProofOfWorkRoutes({ app }: HttpScope): void {
  mountOperation(app, 'GET /api/proof-of-work', ({ query: { kind }, request }) =>
    app.proofsOfWork.challenge(kind, request),
  );
}
