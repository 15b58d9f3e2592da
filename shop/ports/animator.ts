import type { MotionStyle, Provenance } from '#contract/motion.ts';
import type { Seen } from './seeing.ts';

export interface AnimateRequest {
  /** Idempotency key of this order; a new one after a job has failed. */
  id: string;
  /** A display copy on local disk, upright JPEG without metadata; there until the job has ended or this process has. */
  sourcePath: string;
  style: MotionStyle;
  seconds: number;
  /** What the photo shows, where it was looked at. */
  seen?: Seen;
  /** To be written on the film, as `filmTitle` leaves it, where it lies over no face. */
  title?: string;
  /** Where to look, 0 to 1 from the left top; found by the renderer when absent. */
  focus?: { x: number; y: number };
  /** On local disk, the job's own, for what it writes here; removed by whoever asked. */
  folder: string;
  /** Pixels of the screen it is for: the frame's own panel when absent. */
  screen?: { width: number; height: number };
}
/** Finished files in the folder given, to be moved away: an MP4 (H.264, yuv420p, faststart, sized for the panel, loop-friendly) a JPEG poster and, where the animator makes one, a small MP4 of the first seconds. */
export interface AnimatedVideo {
  videoPath: string;
  posterPath: string;
  clipPath?: string;
  width: number;
  height: number;
  seconds: number;
  sizeBytes: number;
  /** What was done to the photo, as the MP4's metadata tell too. Its style is the one asked for, unless another is named. */
  provenance: Omit<Provenance, 'style'> & Partial<Pick<Provenance, 'style'>>;
}
/**
 * Why there is no video. `refused`: the photo's content is not wanted; `input`: the photo or the setting cannot be used;
 * `access`, `quota`: the account's; `busy`: asked too often or no room; `output`: what came back is no video.
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
  /** Whether trying the same again may help. */
  readonly retryable: boolean;
  readonly failure: AnimationFailure;
  constructor(message: string, retryable: boolean, options: ErrorOptions & { failure?: AnimationFailure } = {}) {
    super(message, options);
    this.retryable = retryable;
    this.failure = options.failure ?? 'unknown';
  }
}
/** How a job stands. `unknown`: it is lost, and another may be ordered. */
export type AnimationJob =
  | { state: 'working'; /** 0 to 1. */ progress: number }
  | { state: 'done'; video: AnimatedVideo }
  | { state: 'failed'; error: AnimationError }
  | { state: 'unknown' };

/** Orders are placed, looked at and cancelled; nothing is waited for inside. */
export interface Animator {
  readonly id: string;
  /** Whether a job goes on when this process ends. Then it is looked for again, by its id; else it is begun anew. */
  readonly outlivesProcess: boolean;
  /** The pace at which looking makes sense, in milliseconds. */
  readonly lookEveryMs: number;
  /** Jobs of one process that may be under way at once. */
  readonly atOnce: number;
  /** What an order costs, whether or not a video comes of it; 0 where nobody is paid. */
  readonly priceCents: number;
  /**
   * Order a video; answers the job's id once the order stands. Of an animator whose jobs outlive the process, a second
   * order under the same `id` is the first one. Rejects with AnimationError.
   */
  start(request: AnimateRequest): Promise<string>;
  /** A finished video's files are written into `folder`. Rejects with AnimationError where it cannot be told how the job stands. */
  look(jobId: string, folder: string): Promise<AnimationJob>;
  /** Nobody wants it any more. Resolves when it no longer writes; cancelling what has ended is fine. */
  cancel(jobId: string): Promise<void>;
  check(): Promise<void>;
  /**
   * For an animator that calls back: which job its signed call is about. What it says of the job is not believed; the job
   * is looked at. Rejects with AnimationError where the signature cannot be checked now.
   */
  readCall?(rawBody: Buffer, headers: Record<string, string | string[] | undefined>): Promise<AnimatorCall>;
}
export type AnimatorCall = { jobId: string } | 'forged' | 'unreadable';
