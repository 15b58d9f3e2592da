import { expect, it } from 'vitest';
import type { FrameLimits, FramePhotoLimits, UploadView } from '#contract/frames.ts';
import { withSortedPhotos, computeLimitsAfterUpload, removeUpload } from './limits-cache.ts';

const createPhoto = (id: string) => ({ id }) as UploadView;
const createFrame = (deviceId: string, ...uploads: string[]) =>
  ({
    deviceId,
    deviceName: 'Kinframe 1',
    orderNumber: `O-${deviceId}`,
    usedPhotos: uploads.length,
    remainingPhotos: 20 - uploads.length,
    uploads: uploads.map(createPhoto),
  }) as FrameLimits;
const createLimits = (): FramePhotoLimits => ({
  frames: [createFrame('a', 'one'), createFrame('b')],
  totalFrames: 2,
  globalUsedPhotos: 1,
  globalRemainingPhotos: 39,
  globalTotalLimit: 40,
  reuploadCredits: 0,
  hasPreviews: true,
});

it('limitsAfterUpload counts a photo only once when it is applied twice', () => {
  const limitsAfterOneChange = computeLimitsAfterUpload(createLimits(), 'b', createPhoto('two'));
  const limitsAfterTwoChanges = computeLimitsAfterUpload(limitsAfterOneChange, 'b', createPhoto('two'));
  expect(limitsAfterTwoChanges).toEqual(limitsAfterOneChange);
  expect(limitsAfterOneChange).toMatchObject({ globalUsedPhotos: 2, globalRemainingPhotos: 38, globalTotalLimit: 40 });
  expect(limitsAfterOneChange.frames[1]).toMatchObject({ usedPhotos: 1, remainingPhotos: 19 });
  expect(limitsAfterOneChange.frames[0]).toEqual(createLimits().frames[0]);
});

it('withoutUpload frees the room of a photo only once when it is applied twice', () => {
  const limitsAfterOneChange = removeUpload(createLimits(), 'a', 'one');
  expect(removeUpload(limitsAfterOneChange, 'a', 'one')).toEqual(limitsAfterOneChange);
  expect(limitsAfterOneChange).toMatchObject({ globalUsedPhotos: 0, globalRemainingPhotos: 40 });
});

it('withSortedPhotos sorts photos by the given ids, with locked photos first and photos without a given id last', () => {
  const [before] = createLimits().frames;
  const uploads = ['new', 'two', 'one', 'locked'].map((id) => ({ ...createPhoto(id), isLocked: id === 'locked' }));
  const { frames } = withSortedPhotos({ ...createLimits(), frames: [{ ...before!, uploads }] }, 'a', ['one', 'two']);
  expect(frames[0]!.uploads.map((it) => it.id)).toEqual(['locked', 'one', 'two', 'new']);
});
