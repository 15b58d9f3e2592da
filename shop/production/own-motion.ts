import type { MotionStyle } from '#contract/motion.ts';
import type { AnimateRequest } from '../ports/animator.ts';
import type { Storage } from '../ports/storage.ts';
import { toCrop, type Upload } from '../photos/photos.ts';

/**
 * Calls `use` with the part of an animator's request that contains the photo's own motion. The motion is in the
 * original file, so the file is provided on local disk while `use` runs, and only if the style needs it.
 */
export async function withOwnMotion<T>(
  storage: Storage,
  photo: Upload,
  style: MotionStyle,
  use: (part: Pick<AnimateRequest, 'ownMotion'>) => Promise<T>,
): Promise<T> {
  const { ownMotion: motion, originalKey } = photo;
  if (style !== 'own-motion' || motion === null) return use({});
  return storage.withLocalFile(originalKey, (path) => use({ ownMotion: { path, motion, crop: toCrop(photo) } }));
}
