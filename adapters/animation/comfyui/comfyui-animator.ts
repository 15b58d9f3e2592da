import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import * as z from 'zod';
import type { AnimateRequest, AnimationJob, Animator } from '#shop/ports/animator.ts';
import { createAnimationError, convertApiCallError, convertModelError } from '../hosted/failures.ts';
import { downloadFinishedVideo } from '../hosted/finished-video.ts';
import { createVideoPrompt } from '../hosted/prompt.ts';
import {
  createComfyuiApi,
  readJobExtraData,
  type ComfyuiServer,
  type EndedComfyuiJob,
  type JobExtraData,
  type UploadedComfyuiFile,
} from './comfyui-api.ts';
import { fillWorkflow, type Workflow } from './workflow.ts';

export interface ComfyuiSettings extends ComfyuiServer {
  workflow: Workflow;
  /** The model's name, for the video's description. */
  model?: string | undefined;
  /** Price of one video, in cents; 0 if the GPU is the shop's own. */
  priceCents: number;
  ffmpegPath: string;
  /** A job that takes longer, with its time in the queue, is canceled. */
  patienceMs?: number | undefined;
  lookEveryMs?: number | undefined;
}

/** One job runs, and the next one already waits in the server's queue. */
const concurrency = 2;
const typicalJobMs = 600_000;

type FoundJob =
  | { state: 'pending' | 'running'; mark: JobExtraData | undefined }
  | { state: 'ended'; mark: JobExtraData | undefined; ended: EndedComfyuiJob };

/**
 * Creates an animator that runs a workflow on a ComfyUI server. ComfyUI cannot delete files, so the photo there is
 * overwritten when the job has ended. The finished video stays in the server's output folder.
 */
export function createComfyuiAnimator(settings: ComfyuiSettings): Animator {
  const { workflow, model, ffmpegPath, patienceMs = 3_600_000 } = settings;
  const api = createComfyuiApi(settings);
  const callAndConvertErrors = <T>(what: string, call: () => Promise<T>) =>
    call().catch((error: unknown): never => {
      throw convertApiCallError(what, error);
    });

  /** Finds the job of the same request. An earlier process may have died before it could store the job id. */
  async function findEarlierJob(request: string): Promise<string | undefined> {
    const { queue_running, queue_pending } = await api.queue();
    const queuedJob = [...queue_running, ...queue_pending].find((it) => readJobExtraData(it)?.request === request);
    if (queuedJob) return queuedJob[1];
    return (await api.listEndedJobs()).find(({ mark }) => mark?.request === request)?.jobId;
  }

  async function findJob(jobId: string): Promise<FoundJob | undefined> {
    const findEndedJob = async () => {
      const endedComfyuiJob = await api.readEndedJob(jobId);
      return (
        endedComfyuiJob &&
        ({ state: 'ended', mark: readJobExtraData(endedComfyuiJob.prompt), ended: endedComfyuiJob } as const)
      );
    };
    const earlierEndedJob = await findEndedJob();
    if (earlierEndedJob) return earlierEndedJob;
    const { queue_running, queue_pending } = await api.queue();
    const runningJob = queue_running.find(([, id]) => id === jobId);
    if (runningJob) return { state: 'running', mark: readJobExtraData(runningJob) };
    const pendingJob = queue_pending.find(([, id]) => id === jobId);
    if (pendingJob) return { state: 'pending', mark: readJobExtraData(pendingJob) };
    // The job may have ended between the two calls.
    return findEndedJob();
  }

  /** Overwrites a job's photo on the server. Ignores errors. */
  async function overwriteUploadedImage(image: UploadedComfyuiFile | undefined): Promise<void> {
    if (image) await api.upload(new File(['removed'], image.name)).catch(() => {});
  }

  async function stopJob(jobId: string, job: FoundJob): Promise<void> {
    if (job.state === 'pending') await api.dequeue(jobId);
    if (job.state === 'running') await api.interrupt(jobId);
    await overwriteUploadedImage(job.mark?.image);
  }

  async function finishEndedJob({ ended: endedJob, mark }: Extract<FoundJob, { state: 'ended' }>, folder: string) {
    const { origin, headers } = api;
    const createVideoUrl = () => api.videoUrl(findVideoOutput(endedJob.outputs));
    const result: AnimationJob =
      endedJob.status?.status_str === 'error'
        ? { state: 'failed', error: findFailureText(endedJob.status.messages ?? []) }
        : await downloadFinishedVideo({ url: createVideoUrl, origin, headers, ffmpegPath, folder, model });
    await overwriteUploadedImage(mark?.image);
    return result;
  }

  async function startJob({ id, sourcePath, style, seconds }: AnimateRequest): Promise<string> {
    const earlierJobId = await findEarlierJob(id);
    if (earlierJobId !== undefined) return earlierJobId;
    const photo = await openAsBlob(sourcePath);
    const image = await api.upload(new File([photo], `${id}.jpg`, { type: 'image/jpeg' }));
    const filledWorkflow = fillWorkflow(workflow, {
      image: image.subfolder ? `${image.subfolder}/${image.name}` : image.name,
      prompt: createVideoPrompt(style),
      seconds,
      seed: createHash('sha256').update(id).digest().readUInt32BE(),
    });
    return api.queueJob(filledWorkflow, { request: id, sentAt: Date.now(), image }).catch(async (error: unknown) => {
      // The request was refused permanently, so there is no job whose end removes the photo.
      if (!convertApiCallError('take the photo', error).retryable) await overwriteUploadedImage(image);
      throw error;
    });
  }

  async function checkJob(jobId: string, folder: string): Promise<AnimationJob> {
    const job = await findJob(jobId);
    if (!job) return { state: 'unknown' };
    if (job.state === 'ended') return finishEndedJob(job, folder);
    const ageMs = job.mark ? Date.now() - job.mark.sentAt : 0;
    if (ageMs <= patienceMs)
      return {
        state: 'working',
        progress: job.state === 'pending' ? 0 : Math.min(0.95, Math.max(0, ageMs / typicalJobMs)),
      };
    await stopJob(jobId, job).catch(() => {});
    return { state: 'failed', error: convertModelError('timed out: the job did not end') };
  }

  return {
    id: 'comfyui',
    outlivesProcess: true,
    lookEveryMs: settings.lookEveryMs ?? 5_000,
    concurrency,
    priceCents: settings.priceCents,
    start: (request) => callAndConvertErrors('take the photo', () => startJob(request)),
    getJobStatus: (jobId, folder) => callAndConvertErrors('say how far the video is', () => checkJob(jobId, folder)),

    cancel: (jobId) =>
      callAndConvertErrors('stop a job', async () => {
        const job = await findJob(jobId);
        if (job) await stopJob(jobId, job);
      }),

    check: () =>
      callAndConvertErrors('be reached', async () => {
        await api.checkServer();
        const missingNodeTypes: string[] = [];
        for (const name of new Set(Object.values(workflow).map((it) => it.class_type)))
          if (!(await api.hasNode(name))) missingNodeTypes.push(name);
        if (missingNodeTypes.length > 0)
          throw createAnimationError(
            'input',
            `ComfyUI does not have these nodes of COMFYUI_WORKFLOW: ${missingNodeTypes.join(', ')}.`,
          );
      }),
  };
}

const SavedFile = z.object({ filename: z.string().min(1), subfolder: z.string(), type: z.string() });

/**
 * The first video that the workflow saved, or else one that it only previewed. Nodes name the list of their files
 * images, gifs or videos.
 */
function findVideoOutput(outputs: EndedComfyuiJob['outputs']): z.infer<typeof SavedFile> {
  const outputLists = Object.values(outputs).flatMap((node) => Object.values(node ?? {}) as unknown[]);
  const savedFiles = outputLists
    .flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))
    .flatMap((file) => SavedFile.safeParse(file).data ?? []);
  const videos = savedFiles.filter(({ filename }) => /\.(mp4|m4v|mov|webm|mkv)$/i.test(filename));
  const video = videos.find(({ type }) => type === 'output') ?? videos[0];
  if (video) return video;
  const savedFileNames = savedFiles.map(({ filename }) => filename).slice(0, 3);
  const savedFilesText = savedFileNames.length > 0 ? `It saved ${savedFileNames.join(', ')}.` : 'It saved no file.';
  throw createAnimationError('output', `The workflow must save an MP4 or a WebM. ${savedFilesText}`);
}

const ExecutionError = z.tuple([
  z.literal('execution_error'),
  z.looseObject({
    exception_message: z.string(),
    exception_type: z.string().optional(),
    node_type: z.string().optional(),
  }),
]);

function findFailureText(messages: unknown[]) {
  const error = messages.flatMap((it) => ExecutionError.safeParse(it).data?.[1] ?? []).at(-1);
  if (!error) return createAnimationError('unknown', 'The job was stopped at the hosted animator.');
  const { exception_message: message, exception_type: type, node_type: node } = error;
  return convertModelError([node, type, message].filter(Boolean).join(': '));
}
