import { expect, it } from 'vitest';
import { findMovablePackages } from './movable-packages.ts';

const createFrame = (deviceId: string, more: object = {}) => ({
  deviceId,
  deviceName: deviceId,
  orderId: 'order',
  extraPhotos: 20,
  laterPhotos: 0,
  remainingPhotos: 40,
  uploadFinalized: false,
  ...more,
});

it('movablePackages returns the number of empty packages, and the other open frames of the order', () => {
  const frames = [
    createFrame('1'),
    createFrame('2'),
    createFrame('3', { uploadFinalized: true }),
    createFrame('4', { orderId: 'another' }),
  ];
  const { packages, to } = findMovablePackages(frames[0]!, frames);
  expect([packages, to.map((it) => it.deviceId)]).toEqual([2, ['2']]);
  expect(findMovablePackages(createFrame('1', { remainingPhotos: 19 }), frames).packages).toBe(1);
  expect(findMovablePackages(createFrame('1', { remainingPhotos: 9 }), frames).packages).toBe(0);
  expect(findMovablePackages(createFrame('1', { laterPhotos: 10 }), frames).packages).toBe(1);
  expect(findMovablePackages(createFrame('1', { laterPhotos: 20 }), frames).packages).toBe(0);
  expect(findMovablePackages(createFrame('1', { extraPhotos: 0 }), frames).packages).toBe(0);
  expect(findMovablePackages(createFrame('1', { uploadFinalized: true }), frames).packages).toBe(0);
});
