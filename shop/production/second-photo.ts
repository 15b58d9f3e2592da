import type { CameraMovement, MotionStyle } from '#contract/motion.ts';
import type { AnimateRequest } from '../ports/animator.ts';
import type { Db } from '../ports/database.ts';
import type { PhotoAnalyzerPort } from '../ports/photo-analyzer.ts';
import type { Storage } from '../ports/storage.ts';
import { readOrAnalyzePhoto } from '../photos/photo-analysis.ts';
import { computeShownSize, type Upload } from '../photos/photos.ts';
import { chooseMotionFor, renderRequestOf } from './motion.ts';
import { withOwnMotion } from './own-motion.ts';

interface PairMotion {
  /** The motion that was chosen for both photos. Undefined if the second photo has its own one. */
  style: MotionStyle | undefined;
  /** The place of the video in its frame, from 0. */
  place: number;
  /** The camera movement of the first photo. Two photos next to each other move in the same way. */
  camera: CameraMovement;
  signal: AbortSignal;
}

/**
 * Calls `use` with the part of an animator's request that describes the second photo of a pair. The photo's files are
 * on local disk while `use` runs. The part is empty if the video shows one photo.
 */
export async function withSecondPhoto<T>(
  scope: { db: Db; storage: Storage; seeing: PhotoAnalyzerPort },
  { photo, second }: { photo: Upload; second: Upload | undefined },
  { style: styleOfBoth, place, camera, signal }: PairMotion,
  use: (part: Pick<AnimateRequest, 'second'>) => Promise<T>,
): Promise<T> {
  if (!second) return use({});
  const { storage } = scope;
  return storage.withLocalFile(second.displayKey, async (sourcePath) => {
    const analysis = await readOrAnalyzePhoto(scope, second, sourcePath, signal);
    const style = styleOfBoth ?? second.chosenStyle ?? chooseMotionFor(second, place, analysis);
    const sizes: [ReturnType<typeof computeShownSize>, ReturnType<typeof computeShownSize>] = [
      computeShownSize(photo),
      computeShownSize(second),
    ];
    return withOwnMotion(storage, second, style, (own) =>
      use({ second: { sourcePath, style, camera, sizes, ...own, ...renderRequestOf(second, style, analysis) } }),
    );
  });
}
