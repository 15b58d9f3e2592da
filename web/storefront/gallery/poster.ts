import { findGeneratedPicture } from '../../media.ts';

/** The address of a gallery item's poster. A built-in picture is 800 px wide, an owner's picture has its own size. */
export function posterOf({ beforeImage }: { beforeImage: string }) {
  const made = findGeneratedPicture(beforeImage);
  return made ? `/media/${made.name}-800.webp` : beforeImage;
}
