import type { FrameLimits, FramePhotoLimits, UploadView } from '#contract/frames.ts';

/** What is known of the frames, with a photo that has just arrived: shown before the shop is asked again. */
export function withUpload(limits: FramePhotoLimits, frameId: string, upload: UploadView): FramePhotoLimits {
  return changed(limits, frameId, (frame) =>
    frame.uploads.some((it) => it.id === upload.id) ? frame.uploads : [...frame.uploads, upload],
  );
}

export const withoutUpload = (limits: FramePhotoLimits, frameId: string, uploadId: string): FramePhotoLimits =>
  changed(limits, frameId, (frame) => frame.uploads.filter((it) => it.id !== uploadId));

/** What its customer has just said of a photo. */
export const withDescribed = (
  limits: FramePhotoLimits,
  uploadId: string,
  said: Partial<UploadView>,
): FramePhotoLimits => ({
  ...limits,
  frames: limits.frames.map((frame) =>
    frame.uploads.some((it) => it.id === uploadId)
      ? { ...frame, uploads: frame.uploads.map((it) => (it.id === uploadId ? { ...it, ...said } : it)) }
      : frame,
  ),
});

/** A frame's photos in another order, after those that are locked. */
export const withOrder = (limits: FramePhotoLimits, frameId: string, ids: readonly string[]): FramePhotoLimits =>
  changed(limits, frameId, ({ uploads }) => {
    const place = new Map(ids.map((id, index) => [id, index]));
    const placeOf = ({ id, isLocked }: UploadView) => (isLocked ? -1 : (place.get(id) ?? ids.length));
    return uploads.toSorted((a, b) => placeOf(a) - placeOf(b));
  });

function changed(
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
