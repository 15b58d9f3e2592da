import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import { createAnimationError } from '../hosted/failures.ts';

export interface ComfyuiServer {
  /** The server's address. It may have a path, if a proxy serves ComfyUI below one. */
  url: string;
  /** Sent as a bearer token, for a proxy in front of ComfyUI. ComfyUI itself has no sign-in. */
  token?: string | undefined;
}

/** An error status of the server, in the form that `convertApiCallError` reads. */
class ErrorResponse extends Error {
  readonly response: { status: number };
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    super(`status ${status}`);
    this.response = { status };
    this.body = body;
  }
}

/** An uploaded file on the server. */
const UploadedFile = z.object({ name: z.string().min(1), subfolder: z.string() });
export type UploadedComfyuiFile = z.infer<typeof UploadedFile>;

/** What the shop sends with a job in `extra_data`, so that another process finds the job and its photo. */
const ExtraData = z.object({ request: z.string(), sentAt: z.number(), image: UploadedFile });
export type JobExtraData = z.infer<typeof ExtraData>;

/** A job as ComfyUI lists it: its number, its id, the workflow, `extra_data` and more. */
const ListedJob = z.tuple([z.unknown(), z.string(), z.unknown(), z.unknown()], z.unknown());
export const readJobExtraData = (listed: z.infer<typeof ListedJob> | undefined): JobExtraData | undefined =>
  z.object({ kinframe: ExtraData }).safeParse(listed?.[3]).data?.kinframe;

const Queue = z.object({ queue_running: z.array(ListedJob), queue_pending: z.array(ListedJob) });
const EndedJob = z.object({
  prompt: ListedJob.optional(),
  outputs: z.record(z.string(), z.unknown()),
  /** Old versions of ComfyUI have no status. */
  status: z.object({ status_str: z.string(), messages: z.array(z.unknown()).optional() }).nullish(),
});
export type EndedComfyuiJob = z.infer<typeof EndedJob>;
const Refusal = z.object({
  error: z.union([z.string(), z.object({ message: z.string(), details: z.string().optional() })]),
  node_errors: z.unknown(),
});
const NodeErrors = z.record(
  z.string(),
  z.object({
    class_type: z.string(),
    errors: z.array(z.object({ message: z.string(), details: z.string().optional() })),
  }),
);

const callTimeoutMs = 30_000;
/** Ended jobs have their whole workflow with them. */
const maxResponseBytes = 16 * 1024 * 1024;
const maxListedJobs = 64;
const retryDelaysMs = [300, 900];

/** The calls of ComfyUI's HTTP API that an animator needs. */
export function createComfyuiApi({ url, token }: ComfyuiServer) {
  const base = new URL(url.endsWith('/') ? url : `${url}/`);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function call(path: string, body?: FormData | string): Promise<unknown> {
    const response = await fetch(new URL(path, base), {
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body }),
      headers: { ...headers, ...(typeof body === 'string' && { 'content-type': 'application/json' }) },
      // A redirect would send the photo and the token to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const text = await readText(response);
    if (!response.ok) throw new ErrorResponse(response.status, parseJsonIfValid(text));
    return parseJsonIfValid(text);
  }
  const post = (path: string, body: unknown) => call(path, JSON.stringify(body));
  const readJson = async <T extends z.ZodType>(path: string, schema: T) =>
    parseResponse(schema, await withRetries(() => call(path)));

  return {
    origin: base.origin,
    headers,

    /** Stores a file in the server's input folder. Replaces a file with the same name. */
    async upload(file: File): Promise<UploadedComfyuiFile> {
      const postImage = async () => {
        const body = new FormData();
        body.set('image', file);
        body.set('subfolder', 'kinframe');
        body.set('type', 'input');
        body.set('overwrite', 'true');
        return call('upload/image', body);
      };
      return parseResponse(UploadedFile, await withRetries(postImage));
    },

    /** Adds a job to the queue. Returns its id. */
    async queueJob(prompt: unknown, mark: JobExtraData): Promise<string> {
      const response = await post('prompt', { prompt, client_id: 'kinframe', extra_data: { kinframe: mark } }).catch(
        (error: unknown) => {
          throw asWorkflowError(error) ?? error;
        },
      );
      return parseResponse(z.object({ prompt_id: z.string().regex(/^[\w-]{1,100}$/) }), response).prompt_id;
    },

    queue: () => readJson('queue', Queue),

    async readEndedJob(jobId: string): Promise<EndedComfyuiJob | undefined> {
      const path = `history/${encodeURIComponent(jobId)}`;
      return (await readJson(path, z.record(z.string(), EndedJob)))[jobId];
    },

    /** The newest jobs that have ended. */
    async listEndedJobs(): Promise<{ jobId: string; mark: JobExtraData | undefined }[]> {
      const listedJson = await readJson(`history?max_items=${maxListedJobs}`, z.record(z.string(), z.unknown()));
      return Object.entries(listedJson).map(([jobId, job]) => ({
        jobId,
        mark: readJobExtraData(EndedJob.safeParse(job).data?.prompt),
      }));
    },

    dequeue: (jobId: string) => post('queue', { delete: [jobId] }),

    /** Stops the running job. Old versions of ComfyUI ignore the id and stop any running job. */
    interrupt: (jobId: string) => post('interrupt', { prompt_id: jobId }),

    videoUrl({ filename, subfolder, type }: { filename: string; subfolder: string; type: string }): string {
      const address = new URL('view', base);
      address.search = new URLSearchParams({ filename, subfolder, type }).toString();
      return address.href;
    },

    async checkServer(): Promise<void> {
      await readJson('system_stats', z.object({ system: z.unknown(), devices: z.array(z.unknown()) }));
    },

    async hasNode(name: string): Promise<boolean> {
      return name in (await readJson(`object_info/${encodeURIComponent(name)}`, z.record(z.string(), z.unknown())));
    },
  };
}

/** Retries a call that changes nothing, or that may be repeated, if the connection or the server fails. */
async function withRetries<T>(call: () => Promise<T>): Promise<T> {
  for (const retryDelayMs of retryDelaysMs) {
    try {
      return await call();
    } catch (error) {
      const isTemporary = error instanceof ErrorResponse ? error.response.status >= 500 : error instanceof TypeError;
      if (!isTemporary) throw error;
      await wait(retryDelayMs);
    }
  }
  return call();
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes)
      throw createAnimationError('unavailable', 'The hosted animator sent an answer that is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseJsonIfValid(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A proxy may answer in place of ComfyUI, so an unreadable answer may pass. A retry finds the job that it began. */
function parseResponse<T extends z.ZodType>(schema: T, answer: unknown): z.infer<T> {
  const { data, error } = schema.safeParse(answer);
  if (error)
    throw createAnimationError('unavailable', 'The hosted animator sent an answer that is not ComfyUI’s.', error);
  return data;
}

/** The reasons why ComfyUI refuses a workflow, by node. */
function asWorkflowError(error: unknown): Error | undefined {
  if (!(error instanceof ErrorResponse) || error.response.status !== 400) return undefined;
  const refusal = Refusal.safeParse(error.body).data;
  if (!refusal) return undefined;
  const nodes = Object.entries(NodeErrors.safeParse(refusal.node_errors).data ?? {});
  const reasons = nodes.flatMap(([id, { class_type, errors }]) =>
    errors.map(({ message, details }) => `node ${id} (${class_type}): ${withDetails(message, details)}`),
  );
  const { error: whole } = refusal;
  const reason = reasons.join('; ') || (typeof whole === 'string' ? whole : withDetails(whole.message, whole.details));
  return createAnimationError('input', `ComfyUI refused the workflow: ${reason.slice(0, 600)}`, error);
}
const withDetails = (message: string, details = '') => (details ? `${message}, ${details}` : message);
