import type { FastifyInstance } from 'fastify';
import { refusals, type RefusalName } from '#contract/refusals.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';

type StreamedCall = (typeof streamedCalls)[keyof typeof streamedCalls];

const byWho = {
  anyone: [],
  customer: ['sign-in-needed'],
  admin: ['admin-needed', 'address-not-allowed'],
} as const satisfies Record<StreamedCall['who'], readonly RefusalName[]>;

/**
 * The OpenAPI document. Swagger describes the operations of the contract from their routes. Streamed calls are outside
 * the contract and are added here.
 */
export function openApiDocument(app: FastifyInstance) {
  const document = app.swagger();
  const paths: Record<string, unknown> = { ...document.paths };
  for (const [route, call] of Object.entries(streamedCalls)) {
    const [method, path] = route.split(' ') as [string, string];
    const url = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[url] = { ...(paths[url] as object | undefined), [method.toLowerCase()]: described(path, call) };
  }
  return { ...document, paths };
}

function described(path: string, { summary, who, contentType, status, query = [], refusals: own = [] }: StreamedCall) {
  const text = { schema: { type: 'string' } };
  const parameters = [
    ...Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({ name, in: 'path', required: true, ...text })),
    ...query.map((name) => ({ name, in: 'query', ...text })),
  ];
  const names = new Set<RefusalName>([...own, ...byWho[who], 'too-many-requests', 'unexpected']);
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const refused = [...Map.groupBy(names, (name) => refusals[name].status)].map(([status, codes]) => [
    status,
    { description: codes.join(', '), content },
  ]);
  const good = contentType
    ? { 200: { description: summary, content: { [contentType]: text } } }
    : { [status ?? 303]: { description: summary } };
  return {
    summary,
    ...(parameters.length > 0 && { parameters }),
    responses: { ...good, ...Object.fromEntries(refused) },
  };
}
