import type { Crop } from '#contract/crop.ts';
import type { CameraMovement, MotionStyle, Provenance } from '#contract/motion.ts';
import type { OwnMotion } from './imaging.ts';
import type { PhotoAnalysis } from './photo-analyzer.ts';

/** One photo of a video, and what happens to it. */
export interface PictureRequest {
  /**
   * A display copy on local disk: an upright JPEG without metadata. It exists until the job ends or this process ends.
   */
  sourcePath: string;
  style: MotionStyle;
  /**
   * For the style `own-motion`: the photo's original file on local disk, the motion in it, and how the display copy is
   * turned and cropped. Only the local animator uses it.
   */
  ownMotion?: { path: string; motion: OwnMotion; crop: Crop };
  /** The style that replaces `own-motion` if the motion in the file cannot be used. The default is 'depth'. */
  otherwise?: MotionStyle;
  /** The camera movement, for styles in which something in the picture moves. The default is 'approach'. */
  camera?: CameraMovement;
  /** What the photo shows, if it was analyzed. */
  seen?: PhotoAnalysis;
  /** A title to write on the video, where it covers no face. `videoTitleFromCaption` has already cleaned it. */
  title?: string;
  /** Whether scratches, dust and faded colors are repaired. Only the local animator does this. The default is false. */
  isRepaired?: boolean;
  /** The point that the camera moves to, 0 to 1 from the top left. The renderer chooses one if it is absent. */
  focus?: { x: number; y: number };
}
export interface AnimateRequest extends PictureRequest {
  /** Idempotency key of this request. Use a new one after a job has failed. */
  id: string;
  /**
   * A second photo, which the video shows to the right of the first one in the same mat. Each of them moves by its own
   * settings. Only the local animator does this. `sizes` are the sizes of both photos in pixels.
   */
  second?: PictureRequest & { sizes: [first: PhotoSize, second: PhotoSize] };
  seconds: number;
  /**
   * A word to write small in a corner of the whole video, away from faces. Only the local animator does this, and not
   * with two photos.
   */
  mark?: string;
  /**
   * Whether the video gives way to everything else on this machine. Only the animator of this machine does so.
   */
  isLowPriority?: boolean;
  /** A folder on local disk for this job's files only. The caller removes it. */
  folder: string;
  /** Size of the target screen in pixels. The default is the frame's own panel. */
  screen?: { width: number; height: number };
}
export interface PhotoSize {
  width: number;
  height: number;
}
/**
 * The finished files in the given folder: an MP4 (H.264, yuv420p, faststart, in the panel's size, suitable for
 * looping), a JPEG poster and, if the animator makes one, a small MP4 of the first seconds. The caller moves them away.
 */
export interface AnimatedVideo {
  videoPath: string;
  posterPath: string;
  clipPath?: string;
  width: number;
  height: number;
  seconds: number;
  sizeBytes: number;
  /**
   * What was done to the photo. The metadata of the MP4 contain the same data. If `style` is absent, the video has the
   * requested style.
   */
  provenance: Omit<Provenance, 'style'> & Partial<Pick<Provenance, 'style'>>;
}
/**
 * Why there is no video. `refused`: the provider does not accept the photo's content. `input`: the photo or a setting
 * cannot be used. `access` and `quota`: a problem with the provider's account. `busy`: too many requests or no
 * capacity. `output`: the result is not a video.
 */
export type AnimationFailure =
  | 'refused'
  | 'input'
  | 'access'
  | 'quota'
  | 'busy'
  | 'timeout'
  | 'unavailable'
  | 'output'
  | 'unknown';
export class AnimationError extends Error {
  override name = 'AnimationError';
  /** Whether a retry of the same request may succeed. */
  readonly retryable: boolean;
  readonly failure: AnimationFailure;
  constructor(message: string, retryable: boolean, options: ErrorOptions & { failure?: AnimationFailure } = {}) {
    super(message, options);
    this.retryable = retryable;
    this.failure = options.failure ?? 'unknown';
  }
}
/** The state of a job. `unknown`: the job is lost, and the caller may start another one. */
export type AnimationJob =
  | { state: 'working'; /** 0 to 1. */ progress: number }
  | { state: 'done'; video: AnimatedVideo }
  | { state: 'failed'; error: AnimationError }
  | { state: 'unknown' };

/** Starts, checks and cancels jobs. No method waits for a job to finish. */
export interface Animator {
  readonly id: string;
  /**
   * Whether a job continues after this process ends. If so, the next process finds the job by its id. Otherwise the
   * next process starts a new job.
   */
  readonly outlivesProcess: boolean;
  /** A useful polling interval, in milliseconds. */
  readonly lookEveryMs: number;
  /** How many jobs of one process may run at the same time. */
  readonly concurrency: number;
  /** The price of an accepted request, even if it produces no video; 0 if the animator is free. */
  readonly priceCents: number;
  /**
   * Requests a video. Returns the job's id after the animator has accepted the request. For an animator whose jobs
   * outlive the process, a second request with the same `id` returns the first job. Rejects with AnimationError.
   */
  start(request: AnimateRequest): Promise<string>;
  /**
   * Reads the state of a job. If the video is finished, writes its files into `folder`. Rejects with AnimationError if
   * the state cannot be read.
   */
  getJobStatus(jobId: string, folder: string): Promise<AnimationJob>;
  /**
   * Cancels a job whose video is no longer needed. Resolves when the job writes no more files. Canceling a job that has
   * ended is allowed.
   */
  cancel(jobId: string): Promise<void>;
  check(): Promise<void>;
  /**
   * For an animator with webhooks: returns the job that a signed webhook is about. The caller does not trust the state
   * in the webhook and reads the job instead. Rejects with AnimationError if the signature cannot be checked now.
   */
  readWebhookCall?(rawBody: Buffer, headers: Record<string, string | string[] | undefined>): Promise<AnimatorCall>;
}
export type AnimatorCall = { jobId: string } | 'forged' | 'unreadable';
