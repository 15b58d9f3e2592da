import { expect, test } from 'vitest';
import { planPictures, planTimeline } from './timeline.ts';

const listShownPictures = (frames: number, pictures: number, still: number) => {
  const timeline = planTimeline(frames);
  const { resting, pictureAt } = planPictures(timeline, pictures, still);
  return { ...timeline, resting, pictures: Array.from({ length: frames }, (_, frame) => pictureAt(frame)) };
};

test.each([
  ['a video of 8 seconds', 200],
  ['a preview of 3 seconds', 75],
])(
  '%s plays the longest motion forward and backward once, starting and ending at the moment of the photo',
  (_, frames) => {
    const { most } = planTimeline(frames);
    for (const stillIndex of [0, 3, Math.floor(most / 2), most - 1]) {
      const { pictures } = listShownPictures(frames, most, stillIndex);
      expect(new Set(pictures).size).toBe(most);
      expect(Math.abs(pictures[0]! - stillIndex)).toBeLessThanOrEqual(1);
      expect(pictures.at(-1)).toBe(pictures[0]);
      // It never jumps, and mostly goes on by one picture at a time.
      const steps = pictures.map((it, at) => Math.abs(it - pictures[(at + 1) % frames]!));
      expect(Math.max(...steps)).toBe(1);
      expect(steps.filter((it) => it === 1).length).toBeGreaterThan(0.6 * frames);
    }
  },
);

test('repeats a short motion, and shows the still photo in the remaining frames', () => {
  const { pictures, resting, fading } = listShownPictures(200, 20, 10);
  const changeCount = pictures.filter((it, at) => it === 19 && pictures[at - 1] !== 19).length;
  expect(changeCount).toBe(3);
  expect(resting).toBeGreaterThanOrEqual(planTimeline(200).resting);
  // The photo has nearly faded when the motion starts.
  const firstChange = pictures.findIndex((it) => it !== pictures[0]);
  expect(firstChange).toBeGreaterThan(resting + fading / 2);
  expect(firstChange).toBeLessThanOrEqual(resting + fading + 1);
});

test('a video too short for any motion shows the photo', () => {
  expect(new Set(listShownPictures(2, 8, 4).pictures)).toEqual(new Set([4]));
});
