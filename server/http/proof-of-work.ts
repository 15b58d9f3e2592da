import type { Door } from './door/door.ts';
import { serve } from './door/serve.ts';

export function proofOfWorkHttp({ app }: Door): void {
  serve(app, 'GET /api/proof-of-work', ({ query: { kind }, request }) => app.proofsOfWork.challenge(kind, request));
}
