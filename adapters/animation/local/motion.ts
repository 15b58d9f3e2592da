/**
 * Functions for motion that loops. Everything moves in whole cycles over the video, so that the last frame continues
 * into the first.
 */

/** Size and length of the video. */
export interface VideoDimensions {
  width: number;
  height: number;
  frames: number;
}
/** Position in the loop: `phase` from 0 to 1, `frame` counted from 0. */
export interface LoopPosition {
  phase: number;
  frame: number;
}
/** Draws the video frame of a moment. The result has the format of `Easel.planes` and is valid until the next call. */
export type SceneRenderer = (moment: LoopPosition) => Uint8Array;

export const fullTurnRadians = 2 * Math.PI;

/** Rises from 0 to 1 and falls back to 0 once per loop, with slope 0 at both ends. */
export const computeRiseAndFall = (phase: number): number => (1 - Math.cos(fullTurnRadians * phase)) / 2;
/** Swings between -1 and 1, `cycles` (a whole number) times per loop. */
export const computeSwing = (phase: number, cycles = 1, lead = 0): number =>
  Math.sin(fullTurnRadians * cycles * phase + lead);
export const degreesToRadians = (angle: number): number => (angle * Math.PI) / 180;

/** Returns the same numbers from 0 to 1 for the same seed, so that a photo rendered twice gives the same video. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
