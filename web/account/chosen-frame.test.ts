import { expect, it } from 'vitest';
import { chooseFrame } from './chosen-frame.ts';

const frames = [
  { deviceId: 'done', uploadFinalized: true },
  { deviceId: 'open', uploadFinalized: false },
  { deviceId: 'other', uploadFinalized: false },
];

it('opens the frame of the address, then the one last worked on', () => {
  expect(chooseFrame(frames, 'other', 'done')?.deviceId).toBe('other');
  expect(chooseFrame(frames, undefined, 'done')?.deviceId).toBe('done');
});
it('passes over frames that are not the customer’s, to the first that takes photos', () => {
  expect(chooseFrame(frames, 'stranger', null)?.deviceId).toBe('open');
  expect(chooseFrame(frames.slice(0, 1))?.deviceId).toBe('done');
  expect(chooseFrame([], 'stranger')).toBeUndefined();
});
