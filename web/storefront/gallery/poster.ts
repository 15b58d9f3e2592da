import { findGeneratedPicture } from '../../media.ts';

/** The address of a gallery item's poster. A built-in picture is 800 px wide, an owner's picture has its own size. */
export function findPosterUrl({ beforeImage }: { beforeImage: string }) {
  const generatedPicture = findGeneratedPicture(beforeImage);
  return generatedPicture ? `/media/${generatedPicture.name}-800.webp` : beforeImage;
}
