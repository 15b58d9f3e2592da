import { isUpright } from '#contract/crop.ts';
import type { UploadView } from '#contract/frames.ts';

type PairedPhoto = Pick<UploadView, 'id' | 'shownWithId'>;

/** Returns the photo that shares a video with this one. */
export const findPartner = <Photo extends PairedPhoto>(
  photo: PairedPhoto,
  photos: readonly Photo[],
): Photo | undefined => photos.find((it) => it.id === photo.shownWithId || it.shownWithId === photo.id);

/** Whether the photo is the right one of a pair. The preview and the video of the left photo show both. */
export const isOnTheRight = (photo: PairedPhoto, photos: readonly PairedPhoto[]): boolean =>
  photos.some((it) => it.id === photo.shownWithId);

/** Whether two photos like this one can be shown side by side. */
export const mayBeInPair = (photo: UploadView): boolean => isUpright(photo) && !photo.isWaiting && !photo.isLocked;
