import { expect, it } from 'vitest';
import { chooseFrame } from './chosen-frame.ts';

const frames = [
  { deviceId: 'done', uploadFinalized: true },
  { deviceId: 'open', uploadFinalized: false },
  { deviceId: 'other', uploadFinalized: false },
];

it('chooseFrame returns the first of the wanted frames', () => {
  expect(chooseFrame(frames, 'other', 'done')?.deviceId).toBe('other');
  expect(chooseFrame(frames, undefined, 'done')?.deviceId).toBe('done');
});
it('chooseFrame returns the first frame that accepts photos when the customer owns none of the wanted frames', () => {
  expect(chooseFrame(frames, 'stranger', null)?.deviceId).toBe('open');
  expect(chooseFrame(frames.slice(0, 1))?.deviceId).toBe('done');
  expect(chooseFrame([], 'stranger')).toBeUndefined();
});
