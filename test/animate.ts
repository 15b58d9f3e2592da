import { AnimationError, type AnimateRequest, type AnimatedVideo, type Animator } from '#shop/ports/animator.ts';
import { watchJob } from '#shop/production/watch-job.ts';

/** Order a video and wait for it. Rejects with what the job ended of. */
export async function animate(
  animator: Animator,
  request: AnimateRequest,
  watching: Parameters<typeof watchJob>[3] = {},
): Promise<AnimatedVideo> {
  const job = await watchJob(animator, await animator.start(request), request.folder, watching);
  if (job.state === 'done') return job.video;
  throw job.state === 'failed' ? job.error : new AnimationError('the job is unknown', false);
}
