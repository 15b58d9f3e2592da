import { openAsBlob } from 'node:fs';
import Replicate, { validateWebhook, type Prediction, type WebhookEventType } from 'replicate';
import type { AnimateRequest, AnimationJob, Animator } from '#shop/ports/animator.ts';
import { createAnimationError, convertApiCallError, convertModelError } from '../hosted/failures.ts';
import { downloadFinishedVideo } from '../hosted/finished-video.ts';
import { createReplicateInput } from './model-input.ts';

export interface ReplicateSettings {
  token: string;
  /** `owner/name`, or `owner/name:version`. */
  model: string;
  /** URL of another server that implements Replicate's API. */
  apiBase?: string | undefined;
  /** Price of one video, in cents. */
  priceCents: number;
  ffmpegPath: string;
  /** Called when a job has ended. Only used if it is https. */
  webhookUrl?: string | undefined;
  /** A job that takes longer is canceled. */
  patienceMs?: number | undefined;
  lookEveryMs?: number | undefined;
}

const callTimeoutMs = 30_000;
const webhookToleranceSeconds = 300;
/** The most pages of a list in which an earlier job is looked for. A page has a hundred entries. */
const mostPages = 10;
const webhookEvents: WebhookEventType[] = ['completed'];

/**
 * Creates an animator that uses a model at Replicate. Replicate has the photo from `start` until `getJobStatus` finds the end
 * of the job, or until the job is canceled.
 */
export function createReplicateAnimator(settings: ReplicateSettings): Animator {
  const { model, apiBase = 'https://api.replicate.com/v1', patienceMs = 900_000, ffmpegPath, webhookUrl } = settings;
  const [, owner = '', name = '', version] = /^([^/]+)\/([^:]+)(?::(.+))?$/.exec(model) ?? [];
  const replicate = new Replicate({
    auth: settings.token,
    baseUrl: apiBase,
    userAgent: 'kinframe',
    fetch: (url: string | URL | Request, init?: RequestInit) =>
      fetch(url, { ...init, signal: AbortSignal.timeout(callTimeoutMs) }),
  });
  const callAndConvertErrors = <T>(what: string, call: () => Promise<T>) =>
    call().catch((error: unknown): never => {
      throw convertApiCallError(what, error);
    });

  /** Models change their inputs with new versions, so each process reads the schema again after an hour. */
  let known: { schema: unknown; readAt: number } | undefined;
  async function fetchModelSchema(): Promise<unknown> {
    if (known && Date.now() - known.readAt < 3_600_000) return known.schema;
    const modelVersion = version
      ? await replicate.models.versions.get(owner, name, version)
      : (await replicate.models.get(owner, name)).latest_version;
    known = { schema: modelVersion?.openapi_schema, readAt: Date.now() };
    return known.schema;
  }

  /** The account's secret for signing webhooks, read once. */
  let secretPromise: Promise<string> | undefined;
  function fetchWebhookSecret(): Promise<string> {
    secretPromise ??= callAndConvertErrors(
      'tell its signing secret',
      async () => (await replicate.webhooks.default.secret.get()).key,
    );
    secretPromise.catch(() => (secretPromise = undefined));
    return secretPromise;
  }

  /**
   * Finds the job or the uploaded photo of the same request. An earlier process may have died before it could store the
   * job id.
   */
  async function findEarlierJob(id: string): Promise<{ jobId?: string; image?: string }> {
    const file = await findInList<UploadedFile>('/files', (it) => it.metadata?.['order'] === id);
    if (!file) return {};
    const image = file.urls.get;
    const job = await findInList<Prediction>('/predictions', ({ input }) => Object.values(input ?? {}).includes(image));
    return job ? { jobId: job.id } : { image };
  }

  /**
   * Finds an entry of a list, which has several pages, newest entries first. Only the cursor of the next page's address
   * is used: the token must not be sent to any other server.
   */
  async function findInList<T>(path: string, isWanted: (entry: T) => boolean): Promise<T | undefined> {
    let cursor: string | null = null;
    for (let pageCount = 0; pageCount < mostPages; pageCount++) {
      const response = await replicate.request(path, { method: 'GET', params: cursor === null ? {} : { cursor } });
      const { results, next } = (await response.json()) as { results: T[]; next?: string | null };
      const foundResult = results.find(isWanted);
      if (foundResult || !next) return foundResult;
      cursor = new URL(next, apiBase).searchParams.get('cursor');
      if (cursor === null) return undefined;
    }
    return undefined;
  }

  async function uploadImage({ id, sourcePath }: AnimateRequest): Promise<string> {
    const photo = new File([await openAsBlob(sourcePath)], 'photo.jpg', { type: 'image/jpeg' });
    return (await replicate.files.create(photo, { order: id })).urls.get;
  }

  /** Deletes a job's photo from the service. Ignores errors. */
  async function deleteUploadedPhoto({ input }: Pick<Prediction, 'input'>): Promise<void> {
    const ids = Object.values(input ?? {}).flatMap((it) => /\/files\/([\w-]+)$/.exec(String(it))?.[1] ?? []);
    await Promise.all([...new Set(ids)].map((id) => replicate.files.delete(id).catch(() => {})));
  }

  async function readEndedJob(job: Prediction, folder: string): Promise<AnimationJob> {
    if (job.status !== 'succeeded') {
      await deleteUploadedPhoto(job);
      const error =
        job.status === 'failed'
          ? convertModelError(typeof job.error === 'string' ? job.error : JSON.stringify(job.error ?? ''))
          : createAnimationError('unknown', 'The job was stopped at the hosted animator.');
      return { state: 'failed', error };
    }
    const video = await downloadFinishedVideo({
      url: () => findVideoUrl(job.output),
      origin: new URL(apiBase).origin,
      ffmpegPath,
      folder,
      model: `${owner}/${name}`,
    });
    await deleteUploadedPhoto(job);
    return video;
  }

  return {
    id: 'replicate',
    outlivesProcess: true,
    lookEveryMs: settings.lookEveryMs ?? 5_000,
    concurrency: 8,
    priceCents: settings.priceCents,

    start: (request) =>
      callAndConvertErrors('take the photo', async () => {
        const earlierJob = await findEarlierJob(request.id);
        if (earlierJob.jobId) return earlierJob.jobId;
        const { style, seconds } = request;
        const modelSchema = await fetchModelSchema();
        createReplicateInput(modelSchema, { image: '', style, seconds }); // throws before the upload if the model cannot be used
        const image = earlierJob.image ?? (await uploadImage(request));
        const input = createReplicateInput(modelSchema, { image, style, seconds });
        const job = await replicate.predictions
          .create({
            ...(version ? { version } : { model: `${owner}/${name}` }),
            input,
            ...(webhookUrl?.startsWith('https:') && { webhook: webhookUrl, webhook_events_filter: webhookEvents }),
          })
          .catch(async (error: unknown) => {
            // The request was refused permanently, so there is no job whose end deletes the photo. Delete it here.
            if (!convertApiCallError('take the photo', error).retryable) await deleteUploadedPhoto({ input });
            throw error;
          });
        if (typeof job.id !== 'string' || job.id === '')
          throw createAnimationError('unknown', 'The hosted animator named no job.');
        return job.id;
      }),

    getJobStatus: async (jobId, folder) => {
      const job = await replicate.predictions.get(jobId).catch((error: { response?: { status?: number } }) => {
        if (error.response?.status === 404) return undefined;
        throw convertApiCallError('say how far the video is', error);
      });
      if (!job) return { state: 'unknown' };
      if (job.status !== 'starting' && job.status !== 'processing') return readEndedJob(job, folder);
      const ageMs = Date.now() - Date.parse(job.created_at);
      if (!(ageMs > patienceMs)) return { state: 'working', progress: Math.min(0.95, Math.max(0, ageMs / 120_000)) };
      await replicate.predictions.cancel(jobId).catch(() => {});
      await deleteUploadedPhoto(job);
      return { state: 'failed', error: convertModelError('timed out: the job did not end') };
    },

    cancel: (jobId) =>
      callAndConvertErrors('stop a job', async () => {
        await deleteUploadedPhoto(await replicate.predictions.cancel(jobId));
      }),

    async readWebhookCall(rawBody, headers) {
      const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((it) => headers[`webhook-${it}`]);
      if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') return 'forged';
      const ageSeconds = Math.abs(Date.now() / 1000 - Number(timestamp));
      if (!(ageSeconds <= webhookToleranceSeconds) || rawBody.length === 0) return 'forged';
      const webhookSecret = await fetchWebhookSecret();
      const body = rawBody.toString();
      if (!(await validateWebhook({ id, timestamp, signature, body, secret: webhookSecret }))) return 'forged';
      const jobId = findPredictionId(body);
      return jobId === undefined ? 'unreadable' : { jobId };
    },

    check: () =>
      callAndConvertErrors('be reached', async () => {
        await replicate.accounts.current();
        createReplicateInput(await fetchModelSchema(), {
          image: 'https://example.com/photo.jpg',
          style: 'push-in',
          seconds: 8,
        });
      }),
  };
}

interface UploadedFile {
  metadata?: Record<string, unknown>;
  urls: { get: string };
}

/** Models return one URL, or several with the video last. */
function findVideoUrl(output: unknown): string {
  const lastOutput = Array.isArray(output) ? (output as unknown[]).at(-1) : output;
  if (typeof lastOutput === 'string') return lastOutput;
  throw createAnimationError('output', 'The hosted animator ended without a video.');
}

function findPredictionId(body: string): string | undefined {
  try {
    const { id } = JSON.parse(body) as { id?: unknown };
    return typeof id === 'string' && /^[\w-]{1,100}$/.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}
