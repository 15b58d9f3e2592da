import type { Animator } from '#shop/ports/animator.ts';
import { fitVideo } from './fit-video.ts';
import { createInProcessJobs } from './in-process-jobs.ts';

/**
 * An animator for videos that were made by hand. The source is an MP4 instead of a photo, and is converted for the
 * frame.
 */
export function createVideoFitter({ ffmpegPath }: { ffmpegPath: string }): Animator {
  return {
    id: 'hand',
    ...createInProcessJobs(1, ({ sourcePath: source, folder }, { signal }) =>
      fitVideo({ ffmpegPath, source, folder, provenance: { by: 'hand' } }, signal),
    ),
    check: async () => {},
  };
}
