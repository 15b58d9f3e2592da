import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface FakePrediction {
  id: string;
  status: 'starting' | 'processing' | 'succeeded' | 'failed' | 'canceled';
  input: Record<string, unknown>;
  output?: unknown;
  error?: unknown;
  created_at: string;
  webhook?: string;
}
export interface FakeReplicate {
  apiBase: string;
  origin: string;
  token: string;
  webhookSecret: string;
  predictions: FakePrediction[];
  /** Uploaded files that were not deleted, by id. */
  files: Map<string, { metadata: Record<string, unknown>; bytes: Buffer }>;
  /**
   * Changes the response to the next call that starts with `call` ('POST /predictions'): a status, garbage, or no
   * response.
   */
  trouble: { call: string; answer: number | 'garbage' | 'nothing' }[];
  /** Served at /output/NAME. */
  outputs: Map<string, Buffer | ((response: ServerResponse) => void)>;
  calls: string[];
  /** The entries of a list's page. */
  pageSize: number;
  sign(body: string, at?: Date): Record<string, string>;
}

/** A model's schema in the form that models publish. */
const schema = {
  components: {
    schemas: {
      Input: {
        required: ['prompt', 'start_image'],
        properties: {
          prompt: { type: 'string' },
          start_image: { type: 'string', format: 'uri' },
          end_image: { type: 'string', format: 'uri' },
          duration: { allOf: [{ $ref: '#/components/schemas/duration' }], default: 5 },
          seed: { type: 'integer' },
        },
      },
      duration: { type: 'integer', enum: [5, 10] },
    },
  },
};

/** A local server with Replicate's documented HTTP API, including its failures. It closes at the end of the test. */
export async function startFakeReplicate({
  inputSchema = schema,
}: { inputSchema?: unknown } = {}): Promise<FakeReplicate> {
  const token = 'r8_test_token';
  const webhookSecret = `whsec_${Buffer.from('a secret of the fake').toString('base64')}`;
  const fake = {
    token,
    webhookSecret,
    predictions: [],
    files: new Map(),
    trouble: [],
    outputs: new Map(),
    calls: [],
    pageSize: 100,
  } as unknown as FakeReplicate;
  fake.sign = (body, at = new Date()) => {
    const [id, timestamp] = ['msg_1', String(Math.floor(at.getTime() / 1000))];
    const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
  };
  const server = createServer((request, response) => {
    answerRequest(fake, inputSchema, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  fake.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.apiBase = `${fake.origin}/v1`;
  return fake;
}

async function answerRequest(
  fake: FakeReplicate,
  inputSchema: unknown,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const url = new URL(request.url ?? '/', fake.origin);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const sendJson = (status: number, json?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(json === undefined ? undefined : JSON.stringify(json));
  };
  const output = /^\/output\/(.+)$/.exec(url.pathname)?.[1];
  if (output) {
    const outputFile = fake.outputs.get(output);
    if (typeof outputFile === 'function') return outputFile(response);
    response.writeHead(outputFile ? 200 : 404, { 'content-type': 'video/mp4' });
    return response.end(outputFile);
  }
  const path = url.pathname.replace(/^\/v1/, '');
  const requestLine = `${request.method} ${path}`;
  fake.calls.push(requestLine);
  const troubleIndex = fake.trouble.findIndex((it) => requestLine.startsWith(it.call));
  const [trouble] = troubleIndex === -1 ? [] : fake.trouble.splice(troubleIndex, 1);
  if (trouble?.answer === 'nothing') return;
  if (trouble?.answer === 'garbage') return sendJson(200, 'garbage');
  if (trouble) return sendJson(trouble.answer, { title: 'Trouble', detail: 'as it was asked for' });
  if (request.headers.authorization !== `Bearer ${fake.token}`) return sendJson(401, { title: 'Unauthenticated' });
  if (path === '/account') return sendJson(200, { type: 'user', username: 'shop', name: 'Shop' });
  if (path === '/webhooks/default/secret') return sendJson(200, { key: fake.webhookSecret });
  if (/^\/models\/[^/]+\/[^/]+$/.test(path))
    return sendJson(200, { owner: 'o', name: 'm', latest_version: { id: 'v1', openapi_schema: inputSchema } });
  if (requestLine === 'POST /files') return sendJson(201, await storeUploadedFile(fake, request, body));
  if (requestLine === 'GET /files')
    return sendJson(200, createPage(fake, url, [...fake.files.keys()].map((id) => toFileJson(fake, id)).toReversed()));
  const fileId = /^DELETE \/files\/(.+)$/.exec(requestLine)?.[1];
  if (fileId) return sendJson(fake.files.delete(fileId) ? 204 : 404);
  if (requestLine === 'GET /predictions') return sendJson(200, createPage(fake, url, fake.predictions.toReversed()));
  if (request.method === 'POST' && /^\/(models\/.+\/)?predictions$/.test(path)) {
    const requestBody = JSON.parse(body.toString()) as { input: Record<string, unknown>; webhook?: string };
    const madePrediction: FakePrediction = {
      id: `p${fake.predictions.length + 1}`,
      status: 'starting',
      created_at: new Date().toISOString(),
      ...requestBody,
    };
    fake.predictions.push(madePrediction);
    return sendJson(201, madePrediction);
  }
  const [, id, cancels] = /^\/predictions\/([^/]+)(\/cancel)?$/.exec(path) ?? [];
  const existingPrediction = fake.predictions.find((it) => it.id === id);
  if (!existingPrediction) return sendJson(404, { detail: 'Not found' });
  if (cancels && (existingPrediction.status === 'starting' || existingPrediction.status === 'processing'))
    existingPrediction.status = 'canceled';
  return sendJson(200, existingPrediction);
}

/** One page of a list, with the address of the next page. */
function createPage({ pageSize }: FakeReplicate, url: URL, entries: unknown[]) {
  const start = Number(url.searchParams.get('cursor') ?? 0);
  const nextPageUrl = new URL(url);
  nextPageUrl.searchParams.set('cursor', String(start + pageSize));
  return {
    previous: null,
    next: start + pageSize < entries.length ? nextPageUrl.href : null,
    results: entries.slice(start, start + pageSize),
  };
}

async function storeUploadedFile(fake: FakeReplicate, request: IncomingMessage, body: Buffer) {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': request.headers['content-type']! },
  }).formData();
  const id = `file${fake.calls.length}`;
  fake.files.set(id, {
    metadata: JSON.parse(await (form.get('metadata') as File).text()) as Record<string, unknown>,
    bytes: Buffer.from(await (form.get('content') as File).arrayBuffer()),
  });
  return toFileJson(fake, id);
}
const toFileJson = (fake: FakeReplicate, id: string) => ({
  id,
  metadata: fake.files.get(id)!.metadata,
  urls: { get: `${fake.apiBase}/files/${id}` },
});
