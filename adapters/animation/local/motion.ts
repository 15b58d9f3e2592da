/**
 * Motion that loops: everything moves in whole turns of a circle over the video, so the last picture runs into the first.
 */

/** What is being filmed. */
export interface Film {
  width: number;
  height: number;
  frames: number;
}
/** Where in the loop a picture is: `phase` from 0 to 1, `frame` counted from 0. */
export interface Moment {
  phase: number;
  frame: number;
}
/** Draws the picture of a moment, as the planes of an easel; good until the next call. */
export type Scene = (moment: Moment) => Uint8Array;

export const fullTurn = 2 * Math.PI;

/** From 0 up to 1 and back, at rest at both ends. */
export const swell = (phase: number): number => (1 - Math.cos(fullTurn * phase)) / 2;
/** Swings between -1 and 1, `cycles` (a whole number) times a loop. */
export const swing = (phase: number, cycles = 1, lead = 0): number => Math.sin(fullTurn * cycles * phase + lead);
export const degrees = (angle: number): number => (angle * Math.PI) / 180;

/** The same numbers from 0 to 1 for the same seed: a photo rendered twice gives the same video. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
