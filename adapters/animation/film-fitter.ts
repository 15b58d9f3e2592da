import type { Animator } from '#shop/ports/animator.ts';
import { fitVideo } from './fit-video.ts';
import { ownJobs } from './own-jobs.ts';

/** Makes a film that somebody made by hand fit the frame: its source is an MP4 instead of a photo. */
export function createFilmFitter({ ffmpegPath }: { ffmpegPath: string }): Animator {
  return {
    id: 'hand',
    ...ownJobs(1, ({ sourcePath: source, folder }, { signal }) =>
      fitVideo({ ffmpegPath, source, folder, provenance: { by: 'hand' } }, signal),
    ),
    check: async () => {},
  };
}
