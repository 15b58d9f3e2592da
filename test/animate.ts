import { AnimationError, type AnimateRequest, type AnimatedVideo, type Animator } from '#shop/ports/animator.ts';
import { waitForAnimation } from '#shop/production/wait-for-animation.ts';

/** Orders a video and waits for it. Rejects with the job's error. */
export async function animateAndWait(
  animator: Animator,
  request: AnimateRequest,
  watching: Parameters<typeof waitForAnimation>[3] = {},
): Promise<AnimatedVideo> {
  const job = await waitForAnimation(animator, await animator.start(request), request.folder, watching);
  if (job.state === 'done') return job.video;
  throw job.state === 'failed' ? job.error : new AnimationError('the job is unknown', false);
}
