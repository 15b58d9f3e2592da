import type { MotionStyle } from '#contract/motion.ts';
import type { SceneRenderer } from '../motion.ts';
import type { RenderContext } from '../render-context.ts';
import { createAliveScene } from './alive.ts';
import { createBreatheScene } from './breathe.ts';
import { createCandlelightScene } from './candlelight.ts';
import { createCrowdPanScene } from './crowd-pan.ts';
import { createDepthScene } from './depth.ts';
import { createDriftScene } from './drift.ts';
import { createFloatingPrintScene } from './floating-print.ts';
import { createLightSweepScene } from './light-sweep.ts';
import { createOwnMotionScene } from './own-motion.ts';
import { createParallaxScene, createPortraitLightScene } from './parallax.ts';
import { createLeavesScene, createMotesScene, createSnowScene } from './particles.ts';
import { createPushInScene } from './push-in.ts';
import { createRestoredScene, createRevealScene } from './restored.ts';
import { createSkyScene, createWaterScene } from './sky.ts';
import { createVintageScene } from './vintage.ts';

export interface MotionStyleRenderer {
  /** Returns undefined if the style does not suit the photo. The style in `otherwise` is then used. */
  prepare: (stage: RenderContext, title?: string) => Promise<SceneRenderer | undefined> | SceneRenderer | undefined;
  /**
   * The phase at which the video starts, 0 to 1. Motion that rests at phase 0 starts a quarter of its cycle later,
   * because a rest at the seam would be noticeable.
   */
  begins: number;
  otherwise?: { style: MotionStyle; why: string };
  /** Whether the style shows the background that was filled in behind people. */
  fills?: boolean;
  restores?: boolean;
  /** Whether the style writes the title itself. */
  writes?: boolean;
}

const noPeople = 'no people could be cut out of the photo';

export const motionStyleRenderers: Record<MotionStyle, MotionStyleRenderer> = {
  'push-in': { prepare: createPushInScene, begins: 0.25 },
  drift: { prepare: createDriftScene, begins: 0.25 },
  breathe: { prepare: createBreatheScene, begins: 0.125 },
  // Its beam is outside the picture only at phase 0.
  'light-sweep': { prepare: createLightSweepScene, begins: 0 },
  'floating-print': { prepare: createFloatingPrintScene, begins: 0.25, writes: true },
  vintage: { prepare: createVintageScene, begins: 0.25 },
  depth: { prepare: createDepthScene, begins: 0.25 },
  parallax: { prepare: createParallaxScene, begins: 0.25, otherwise: { style: 'depth', why: noPeople }, fills: true },
  'portrait-light': {
    prepare: createPortraitLightScene,
    begins: 0.25,
    otherwise: { style: 'depth', why: noPeople },
    fills: true,
  },
  'crowd-pan': {
    prepare: createCrowdPanScene,
    begins: 0,
    otherwise: { style: 'push-in', why: 'there are no two faces to go between' },
  },
  alive: {
    prepare: createAliveScene,
    begins: 0.25,
    otherwise: { style: 'parallax', why: 'no face in it is large enough, seen from the front and to be cut out' },
    fills: true,
  },
  sky: { prepare: createSkyScene, begins: 0, otherwise: { style: 'drift', why: 'no sky that would be seen to move' } },
  water: { prepare: createWaterScene, begins: 0, otherwise: { style: 'sky', why: 'no water was found' } },
  // The poster shows the first phase of the video. One to eight flames move less at this phase than at most others.
  candlelight: {
    prepare: createCandlelightScene,
    begins: 0.3,
    otherwise: { style: 'breathe', why: 'no flame or lamp was found' },
  },
  snow: { prepare: createSnowScene, begins: 0.25, fills: true },
  motes: { prepare: createMotesScene, begins: 0.25, fills: true },
  leaves: { prepare: createLeavesScene, begins: 0.25, fills: true },
  restored: { prepare: createRestoredScene, begins: 0.25, restores: true },
  reveal: { prepare: createRevealScene, begins: 0.25, restores: true },
  // It begins and ends with the photo.
  'own-motion': {
    prepare: createOwnMotionScene,
    begins: 0,
    otherwise: { style: 'depth', why: 'its file contains no motion' },
  },
};
