import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

type Workflow = Record<string, { class_type: string; inputs: Record<string, unknown> }>;
/** A job as ComfyUI lists it: number, id, workflow, extra data, nodes with outputs. */
type ListedJob = [number, string, Workflow, Record<string, unknown>, string[]];
interface EndedJob {
  outputs: Record<string, unknown>;
  status?: { status_str: 'success' | 'error'; completed: boolean; messages: unknown[] };
}
export interface FakeComfyui {
  url: string;
  token: string | undefined;
  pending: ListedJob[];
  running: ListedJob[];
  history: Map<string, EndedJob & { prompt: ListedJob }>;
  /** Uploaded files by path below the input folder. */
  inputs: Map<string, string>;
  /** Saved files by name. */
  outputs: Map<string, Buffer | ((response: ServerResponse) => void)>;
  /** The classes of nodes that this server has. */
  nodes: Set<string>;
  /** Changes the response to the next call that starts with `call` ('POST /prompt'). */
  trouble: { call: string; answer: number | 'garbage' | 'other' | 'cut' | 'lost' | 'redirect' }[];
  calls: string[];
  /** Starts the next job. */
  run(): void;
  /** Ends a job that is pending or running. */
  end(jobId: string, ended: EndedJob): void;
}

/** A workflow with the shop's placeholders. */
export const comfyuiWorkflow: Workflow = {
  '1': { class_type: 'LoadImage', inputs: { image: '{{image}}' } },
  '2': { class_type: 'CLIPTextEncode', inputs: { text: 'Old photo. {{prompt}}', clip: ['9', 0] } },
  '3': { class_type: 'ImageToVideo', inputs: { image: ['1', 0], seed: '{{seed}}', seconds: '{{ seconds }}' } },
  '4': { class_type: 'SaveVideo', inputs: { video: ['3', 0], filename_prefix: 'kinframe', format: 'auto' } },
};
export const success: NonNullable<EndedJob['status']> = { status_str: 'success', completed: true, messages: [] };
export const createSavedVideo = (filename: string, type = 'output') => ({
  outputs: { '4': { images: [{ filename, subfolder: 'video', type }], animated: [true] } },
  status: success,
});

/** A local server with ComfyUI's documented HTTP API, including its failures. It closes at the end of the test. */
export async function startFakeComfyui({ token }: { token?: string } = {}): Promise<FakeComfyui> {
  const fake: FakeComfyui = {
    url: '',
    token,
    pending: [],
    running: [],
    history: new Map(),
    inputs: new Map(),
    outputs: new Map(),
    nodes: new Set(['LoadImage', 'CLIPTextEncode', 'ImageToVideo', 'SaveVideo']),
    trouble: [],
    calls: [],
    run: () => fake.running.push(...fake.pending.splice(0, 1)),
    end(jobId, ended) {
      for (const jobQueue of [fake.pending, fake.running]) {
        const queueIndex = jobQueue.findIndex(([, id]) => id === jobId);
        if (queueIndex === -1) continue;
        const [prompt] = jobQueue.splice(queueIndex, 1);
        fake.history.set(jobId, { prompt: prompt!, ...ended });
      }
    },
  };
  const server = createServer((request, response) => {
    answerRequest(fake, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fake;
}

async function answerRequest(fake: FakeComfyui, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', fake.url);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const sendJson = (status: number, json?: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(json === undefined ? undefined : JSON.stringify(json));
  };
  const requestLine = `${request.method} ${url.pathname}`;
  fake.calls.push(requestLine);
  const troubleIndex = fake.trouble.findIndex((it) => requestLine.startsWith(it.call));
  const [trouble] = troubleIndex === -1 ? [] : fake.trouble.splice(troubleIndex, 1);
  if (trouble?.answer === 'cut') return response.destroy();
  if (trouble?.answer === 'garbage') return response.end('<html>Please sign in</html>');
  if (trouble?.answer === 'other') return sendJson(200, { prompt_id: 7, queue_running: 'none' });
  if (trouble?.answer === 'redirect') return response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  if (typeof trouble?.answer === 'number') return sendJson(trouble.answer, { error: 'as it was asked for' });
  if (fake.token !== undefined && request.headers.authorization !== `Bearer ${fake.token}`) return sendJson(401);

  if (requestLine === 'GET /system_stats')
    return sendJson(200, { system: { comfyui_version: '0.3.60' }, devices: [{ name: 'GPU' }] });
  const node = /^GET \/object_info\/(.+)$/.exec(requestLine)?.[1];
  if (node) return sendJson(200, fake.nodes.has(node) ? { [node]: { input: {}, output: [] } } : {});
  if (requestLine === 'POST /upload/image') return sendJson(200, await storeUploadedFile(fake, request, body));
  if (requestLine === 'GET /queue') return sendJson(200, { queue_running: fake.running, queue_pending: fake.pending });
  if (requestLine === 'GET /history') {
    const newestJobs = [...fake.history].slice(-Number(url.searchParams.get('max_items') ?? Infinity));
    return sendJson(200, Object.fromEntries(newestJobs));
  }
  const requestedJobId = /^GET \/history\/(.+)$/.exec(requestLine)?.[1];
  if (requestedJobId)
    return sendJson(
      200,
      fake.history.has(requestedJobId) ? { [requestedJobId]: fake.history.get(requestedJobId) } : {},
    );
  if (requestLine === 'GET /view') {
    const outputFile = fake.outputs.get(url.searchParams.get('filename') ?? '');
    if (typeof outputFile === 'function') return outputFile(response);
    response.writeHead(outputFile ? 200 : 404, { 'content-type': 'video/mp4' });
    return response.end(outputFile);
  }
  if (requestLine === 'POST /prompt') {
    const { status, json } = queueJob(fake, JSON.parse(body.toString()) as JobRequest);
    return trouble?.answer === 'lost' ? response.destroy() : sendJson(status, json);
  }
  if (requestLine === 'POST /queue') {
    const { delete: ids } = JSON.parse(body.toString()) as { delete: string[] };
    fake.pending = fake.pending.filter(([, id]) => !ids.includes(id));
    return sendJson(200);
  }
  if (requestLine === 'POST /interrupt') {
    const { prompt_id: id } = JSON.parse(body.toString()) as { prompt_id: string };
    const messages = [['execution_interrupted', { prompt_id: id, node_id: '3', node_type: 'ImageToVideo' }]];
    fake.end(id, { outputs: {}, status: { status_str: 'error', completed: false, messages } });
    return sendJson(200);
  }
  return sendJson(404);
}

interface JobRequest {
  prompt: Workflow;
  client_id?: string;
  extra_data?: Record<string, unknown>;
}

/** Queues a job, or refuses it with the reasons of each node, as ComfyUI does. */
function queueJob(fake: FakeComfyui, { prompt, client_id, extra_data }: JobRequest): { status: number; json: unknown } {
  const nodeErrors = Object.fromEntries(
    Object.entries(prompt).flatMap(([id, { class_type, inputs }]) => {
      if (class_type !== 'LoadImage' || fake.inputs.has(String(inputs['image']))) return [];
      const details = `image - Invalid image file: ${String(inputs['image'])}`;
      const errors = [{ type: 'custom_validation_failed', message: 'Custom validation failed for node', details }];
      return [[id, { errors, dependent_outputs: ['4'], class_type }]];
    }),
  );
  const unknownNode = Object.values(prompt).find(({ class_type }) => !fake.nodes.has(class_type));
  if (unknownNode) {
    const message = `Cannot execute because node ${unknownNode.class_type} does not exist.`;
    return {
      status: 400,
      json: { error: { type: 'invalid_prompt', message, details: 'Node ID #3' }, node_errors: {} },
    };
  }
  if (Object.keys(nodeErrors).length > 0) {
    const error = {
      type: 'prompt_outputs_failed_validation',
      message: 'Prompt outputs failed validation',
      details: '',
    };
    return { status: 400, json: { error, node_errors: nodeErrors } };
  }
  const id = randomUUID();
  const number = fake.calls.length;
  fake.pending.push([number, id, prompt, { ...extra_data, client_id }, ['4']]);
  return { status: 200, json: { prompt_id: id, number, node_errors: {} } };
}

async function storeUploadedFile(fake: FakeComfyui, request: IncomingMessage, body: Buffer) {
  const form = await new Response(new Uint8Array(body), {
    headers: { 'content-type': request.headers['content-type']! },
  }).formData();
  const image = form.get('image') as File;
  const subfolder = form.get('subfolder') as string;
  const base = image.name;
  const isReplaced = form.get('overwrite') === 'true';
  const name = isReplaced || !fake.inputs.has(`${subfolder}/${base}`) ? base : base.replace('.', ' (1).');
  fake.inputs.set(`${subfolder}/${name}`, await image.text());
  return { name, subfolder, type: form.get('type') };
}
