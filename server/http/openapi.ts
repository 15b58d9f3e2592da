import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { roleNamesFor } from '#contract/owner/areas.ts';
import { refusals, type RefusalName } from '#contract/refusals.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';
import { projectFolder } from '../project-folder.ts';

type StreamedCall = (typeof streamedCalls)[keyof typeof streamedCalls];

const refusalsByCaller = {
  anyone: [],
  customer: ['sign-in-needed'],
  admin: ['admin-needed', 'address-not-allowed', 'role-needed', 'staff-removed', 'staff-role-changed'],
} as const satisfies Record<StreamedCall['who'], readonly RefusalName[]>;

/** The committed copy of the document. `npm run openapi` writes it. */
export const openApiFile = join(projectFolder, 'docs/openapi.json');

type Paths = Record<string, Record<string, { responses: Record<string, { description?: string }> }>>;
const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };

/**
 * The OpenAPI document. Swagger describes the operations of the contract from their routes. Streamed calls are outside
 * the contract and are added here. Paths and schemas are in alphabetical order, so that the document does not depend on
 * the order in which routes are mounted and files are imported.
 */
export function openApiDocument(app: FastifyInstance) {
  const document = app.swagger();
  const paths = { ...(document.paths as Paths) };
  for (const [route, call] of Object.entries(streamedCalls)) {
    const [method, path] = route.split(' ') as [string, string];
    const pathTemplate = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[pathTemplate] = { ...paths[pathTemplate], [method.toLowerCase()]: describeOperation(path, call) };
  }
  return {
    ...document,
    components: mapValues((document as { components: Record<string, object> }).components, sortKeys),
    paths: mapValues(sortKeys(paths), withErrorsByName),
  };
}

/**
 * All errors have the same body. Swagger repeats its schema in each response, because each has its own description. A
 * reference makes the document three times smaller.
 */
const withErrorsByName = (calls: Paths[string]) =>
  mapValues(calls, (call) => ({
    ...call,
    responses: mapValues(call.responses, (response, status) =>
      Number(status) < 400 ? response : { ...response, content: errorContent },
    ),
  }));

const sortKeys = <Values extends object>(object: Values) =>
  Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1))) as Values;

const mapValues = <Value, Mapped>(object: Record<string, Value>, map: (value: Value, key: string) => Mapped) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

function describeOperation(
  path: string,
  { summary, who, area, contentType, status, query = [], refusals: own = [] }: StreamedCall,
) {
  const textSchema = { schema: { type: 'string' } };
  const parameters = [
    ...Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({ name, in: 'path', required: true, ...textSchema })),
    ...query.map((name) => ({ name, in: 'query', ...textSchema })),
  ];
  const refusalNames = new Set<RefusalName>([...own, ...refusalsByCaller[who], 'too-many-requests', 'unexpected']);
  const refusalResponses = [...Map.groupBy(refusalNames, (name) => refusals[name].status)].map(([status, codes]) => [
    status,
    { description: codes.join(', '), content: errorContent },
  ]);
  const successResponses = contentType
    ? { 200: { description: summary, content: { [contentType]: textSchema } } }
    : { [status ?? 303]: { description: summary } };
  return {
    summary,
    ...(area && { description: `For ${roleNamesFor(area)} (area ${area}).` }),
    ...(parameters.length > 0 && { parameters }),
    responses: { ...successResponses, ...Object.fromEntries(refusalResponses) },
  };
}
