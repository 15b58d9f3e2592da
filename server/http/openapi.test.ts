import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Operation } from '#contract/operation.ts';
import { refusals, type RefusalName } from '#contract/refusals.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { listMountedRoutes } from '#test/mounted-routes.ts';
import { openTestShop } from '#test/shop.ts';
import { openApiFile } from './openapi.ts';

const toOpenApiPath = (route: string) => route.replaceAll(/:(\w+)/g, '{$1}');

interface DocumentedOperation {
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content: Record<string, { schema?: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

describeOnFastestEngine((fresh) => {
  test('openapi.json is OpenAPI 3.1 and lists every operation with inputs, response and refusals', async () => {
    const testShop = await openTestShop(fresh);
    const { status, json } = await testShop.browser().get('/api/openapi.json');
    expect(status).toBe(200);
    expect(json.openapi).toBe('3.1.0');
    expect(json.info).toMatchObject({ title: 'Kinframe', version: expect.stringMatching(/./) });
    expectNoDanglingRefs(json);

    const listedOperations = Object.entries(json.paths as Record<string, Record<string, DocumentedOperation>>).flatMap(
      ([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const contractOperations = [...Object.keys(api), ...Object.keys(streamedCalls)].map(toOpenApiPath);
    expect(listedOperations.toSorted()).toEqual(contractOperations.toSorted());

    for (const [route, operation] of Object.entries(api as Record<string, Operation>)) {
      const [method, path] = route.split(' ') as [string, string];
      const describedCall: DocumentedOperation = json.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()];
      expect(describedCall.summary, route).toBe(operation.summary);
      const placeholders = Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!);
      const pathParameters = (describedCall.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(
        pathParameters.map((parameter) => parameter.name),
        route,
      ).toEqual(placeholders);
      expect(
        pathParameters.every((parameter) => parameter.required),
        route,
      ).toBe(true);
      expect(
        (describedCall.parameters ?? []).some((parameter) => parameter.in === 'query'),
        route,
      ).toBe(operation.query !== undefined);
      if (operation.body) expect(describedCall.requestBody?.content['application/json']?.schema, route).toBeDefined();
      const successResponse = describedCall.responses[String(operation.status ?? 200)];
      expect(successResponse, route).toBeDefined();
      const hasNoContent = operation.status !== undefined || method === 'HEAD';
      if (!hasNoContent) expect(successResponse?.content?.['application/json']?.schema, route).toBeDefined();
      for (const name of listPossibleRefusals(method, operation)) {
        const answer = describedCall.responses[refusals[name].status];
        expect(answer?.description.split(', '), `${route} ${name}`).toContain(name);
        expect(answer?.content?.['application/json']?.schema, `${route} ${name}`).toBeDefined();
      }
    }
  });

  test('docs/openapi.json is the document that the shop serves', async () => {
    const testShop = await openTestShop(fresh);
    const { text } = await testShop.browser().get('/api/openapi.json');
    // Compare the texts, because the order is part of the file. Print no difference: git diff prints it better.
    const isCurrent = JSON.stringify(JSON.parse(readFileSync(openApiFile, 'utf8'))) === text;
    expect(isCurrent, 'The API has changed. Run npm run openapi and commit the difference.').toBe(true);
  });

  test('openapi.json repeats no schema of an error', async () => {
    const testShop = await openTestShop(fresh);
    const { paths } = (await testShop.browser().get('/api/openapi.json')).json as {
      paths: Record<string, Record<string, DocumentedOperation>>;
    };
    const schemas = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.entries(responses))
      .filter(([status]) => Number(status) >= 400)
      .map(([, { content }]) => content?.['application/json']?.schema);
    expect(new Set(schemas.map((it) => JSON.stringify(it)))).toEqual(
      new Set([JSON.stringify({ $ref: '#/components/schemas/Error' })]),
    );
  });

  test('openapi.json lists the empty response of a 204 call, and the redirect of a call that redirects', async () => {
    const testShop = await openTestShop(fresh);
    const { paths } = (await testShop.browser().get('/api/openapi.json')).json;
    const listSuccessStatuses = ({ responses }: DocumentedOperation) =>
      Object.keys(responses).filter((status) => Number(status) < 400);
    expect(listSuccessStatuses(paths['/api/csp-reports'].post)).toEqual(['204']);
    expect(listSuccessStatuses(paths['/api/admin/auth/replit/callback'].get)).toEqual(['303']);
  });

  test('openapi.json lists exactly the routes below /api that the shop mounts', async () => {
    const testShop = await openTestShop(fresh, { env: { ANIMATOR: 'local' } });
    const { paths } = (await testShop.browser().get('/api/openapi.json')).json as { paths: Record<string, object> };
    const isApi = (route: string) => / \/api\//.test(route);
    // Fastify adds a HEAD route for each GET route.
    const mountedPaths = listMountedRoutes(testShop).flatMap(({ path, methods }) =>
      methods
        .filter((it) => it !== 'HEAD' || !methods.includes('GET'))
        .map((method) => toOpenApiPath(`${method} ${path}`)),
    );
    const documentedPaths = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods)
        .filter((it) => it !== 'head' || !('get' in methods))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documentedPaths.filter(isApi).toSorted()).toEqual(mountedPaths.filter(isApi).toSorted());
    for (const route of Object.keys(streamedCalls)) expect(mountedPaths, route).toContain(toOpenApiPath(route));
  });
});

function listPossibleRefusals(method: string, { who, body, multipart, refusals: own = [] }: Operation): RefusalName[] {
  return [
    ...own,
    'invalid-request',
    'too-many-requests',
    'unexpected',
    'unavailable',
    ...(['GET', 'HEAD'].includes(method) ? [] : (['foreign-origin'] as const)),
    ...(body ? (['json-needed', 'body-too-large'] as const) : []),
    ...(multipart ? (['body-too-large'] as const) : []),
    ...(who === 'customer' ? (['sign-in-needed'] as const) : []),
    ...(who === 'link' ? (['link-missing', 'link-expired'] as const) : []),
    ...(who === 'contributor' ? (['collect-link-invalid', 'first-name-needed'] as const) : []),
    ...(who === 'admin' ? (['admin-needed', 'address-not-allowed'] as const) : []),
  ];
}

/** Fails unless every $ref has a target and every type is a type of JSON Schema. */
function expectNoDanglingRefs(document: unknown) {
  const visitNode = (node: unknown, location: string) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref') {
        const referencedNode = String(value)
          .replace(/^#\//, '')
          .split('/')
          .reduce<unknown>(
            (at, step) =>
              (at as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
            document,
          );
        expect(referencedNode, `${location} -> ${String(value)}`).toBeDefined();
      }
      if (key === 'type' && !location.endsWith('/properties'))
        expect(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']).toEqual(
          expect.arrayContaining([value].flat()),
        );
      expect(['nullable', 'undefined'], location).not.toContain(key); // `nullable` exists only in OpenAPI 3.0, and `undefined` is a mistake
      visitNode(value, `${location}/${key}`);
    }
  };
  visitNode(document, '#');
}
