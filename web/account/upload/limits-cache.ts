import type { PhotoPairForm } from '#contract/photo-forms.ts';
import type { FrameLimits, FramePhotoLimits, UploadView } from '#contract/frames.ts';

/** Adds a photo that has just arrived to the cached limits, before they are loaded again. */
export function computeLimitsAfterUpload(
  limits: FramePhotoLimits,
  frameId: string,
  upload: UploadView,
): FramePhotoLimits {
  return changeUploads(limits, frameId, (frame) =>
    frame.uploads.some((it) => it.id === upload.id) ? frame.uploads : [...frame.uploads, upload],
  );
}

export const removeUpload = (limits: FramePhotoLimits, frameId: string, uploadId: string): FramePhotoLimits =>
  changeUploads(limits, frameId, (frame) => frame.uploads.filter((it) => it.id !== uploadId));

/** Applies the customer's latest changes to a photo. */
export const withPhotoChanges = (
  limits: FramePhotoLimits,
  uploadId: string,
  said: Partial<UploadView>,
): FramePhotoLimits => ({
  ...limits,
  frames: limits.frames.map((frame) =>
    frame.uploads.some((it) => it.id === uploadId)
      ? { ...frame, uploads: frame.uploads.map((it) => (it.id === uploadId ? applyDescription(it, said) : it)) }
      : frame,
  ),
});

/** Removes the preview if the change affects the video, because a new preview is needed then. */
const applyDescription = (photo: UploadView, changes: Partial<UploadView>): UploadView => ({
  ...photo,
  ...changes,
  ...(('style' in changes || 'moves' in changes) && { mayShowWater: false }),
  ...(('style' in changes ||
    'moves' in changes ||
    'focus' in changes ||
    'isTitled' in changes ||
    'isRepaired' in changes) && {
    preview: null,
  }),
});

/** Applies the answer to the still question: people stay still in the photos with these ids, and move in all others. */
export const withStillPhotos = (
  limits: FramePhotoLimits,
  frameId: string,
  ids: ReadonlySet<string>,
  answeredAt: string,
): FramePhotoLimits => ({
  ...limits,
  frames: limits.frames.map((frame) =>
    frame.deviceId === frameId
      ? {
          ...frame,
          stillAnsweredAt: answeredAt,
          uploads: frame.uploads.map((it) => applyStillChoice(it, ids.has(it.id))),
        }
      : frame,
  ),
});

const applyStillChoice = (photo: UploadView, isStill: boolean): UploadView => {
  if (photo.isLocked || isStill === (photo.moves?.living === false)) return photo;
  return applyDescription(photo, {
    moves: { water: false, candle: null, ...photo.moves, living: isStill ? false : null },
  });
};

/** Removes the groups of photos that the customer keeps although they look alike. */
export const withAlikeKept = (limits: FramePhotoLimits, frameId: string, ids: readonly string[]): FramePhotoLimits => ({
  ...limits,
  frames: limits.frames.map((frame) =>
    frame.deviceId === frameId
      ? { ...frame, alike: frame.alike.filter((group) => !group.every((id) => ids.includes(id))) }
      : frame,
  ),
});

/** Applies the customer's decision to show two photos side by side, or each alone. */
export const withPhotoPair = (
  limits: FramePhotoLimits,
  { leftId, rightId, isPair }: PhotoPairForm,
): FramePhotoLimits => {
  const isInPair = (id: string | null) => id === leftId || id === rightId;
  const withNewPair = (photo: UploadView): UploadView => {
    const pairedIdBefore = photo.shownWithId;
    const shownWithId =
      isPair && photo.id === rightId ? leftId : isInPair(photo.id) || isInPair(pairedIdBefore) ? null : pairedIdBefore;
    return isInPair(photo.id) ? { ...photo, shownWithId, preview: null } : { ...photo, shownWithId };
  };
  return {
    ...limits,
    frames: limits.frames.map((frame) => ({
      ...frame,
      uploads: frame.uploads.map(withNewPair),
      suggestedPair: frame.suggestedPair?.some(isInPair) ? null : frame.suggestedPair,
    })),
  };
};

/** Sorts a frame's photos by the given ids. Locked photos stay first. */
export const withSortedPhotos = (limits: FramePhotoLimits, frameId: string, ids: readonly string[]): FramePhotoLimits =>
  changeUploads(limits, frameId, ({ uploads }) => {
    const orderIndex = new Map(ids.map((id, index) => [id, index]));
    const findPosition = ({ id, isLocked }: UploadView) => (isLocked ? -1 : (orderIndex.get(id) ?? ids.length));
    return uploads.toSorted((a, b) => findPosition(a) - findPosition(b));
  });

function changeUploads(
  limits: FramePhotoLimits,
  frameId: string,
  uploadsOf: (frame: FrameLimits) => UploadView[],
): FramePhotoLimits {
  let difference = 0;
  const frames = limits.frames.map((frame) => {
    if (frame.deviceId !== frameId) return frame;
    const uploads = uploadsOf(frame);
    difference = uploads.length - frame.uploads.length;
    return {
      ...frame,
      uploads,
      usedPhotos: frame.usedPhotos + difference,
      remainingPhotos: frame.remainingPhotos - difference,
    };
  });
  return {
    ...limits,
    frames,
    globalUsedPhotos: limits.globalUsedPhotos + difference,
    globalRemainingPhotos: limits.globalRemainingPhotos - difference,
  };
}
