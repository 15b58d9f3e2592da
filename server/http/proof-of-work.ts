import type { HttpScope } from './common/http-scope.ts';
import { serve } from './common/serve.ts';

export function proofOfWorkHttp({ app }: HttpScope): void {
  serve(app, 'GET /api/proof-of-work', ({ query: { kind }, request }) => app.proofsOfWork.challenge(kind, request));
}
