import { madePicture } from '../../media.ts';

/** A picture of ours in a width that is small enough; the owner's as it is. */
export function posterOf({ beforeImage }: { beforeImage: string }) {
  const made = madePicture(beforeImage);
  return made ? `/media/${made.name}-800.webp` : beforeImage;
}
