import { writeFile } from 'node:fs/promises';
import { AnimationError, type Animator } from '#shop/ports.ts';

/** Makes a "video" at once. */
export const fakeAnimator: Animator = {
  id: 'fake',
  async animate({ videoPath, posterPath, seconds, onProgress }) {
    onProgress?.(0.5);
    await writeFile(videoPath, 'a video');
    await writeFile(posterPath, 'a poster');
    return { width: 1280, height: 800, seconds, sizeBytes: 'a video'.length };
  },
  check: async () => {},
};

/** An animator that refuses everything. */
export const brokenAnimator: Animator = {
  ...fakeAnimator,
  id: 'broken',
  animate: () => Promise.reject(new AnimationError('this photo will not move', false)),
};
