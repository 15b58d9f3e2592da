import type { MotionStyle } from '#contract/motion.ts';
import type { Scene } from '../motion.ts';
import type { Stage } from '../stage.ts';
import { alive } from './alive.ts';
import { breathe } from './breathe.ts';
import { candlelight } from './candlelight.ts';
import { crowdPan } from './crowd-pan.ts';
import { depth } from './depth.ts';
import { drift } from './drift.ts';
import { floatingPrint } from './floating-print.ts';
import { lightSweep } from './light-sweep.ts';
import { parallax, portraitLight } from './parallax.ts';
import { leaves, motes, snow } from './particles.ts';
import { pushIn } from './push-in.ts';
import { restored, reveal } from './restored.ts';
import { sky, water } from './sky.ts';
import { vintage } from './vintage.ts';

export interface Style {
  /** Undefined if the photo does not allow the style; `otherwise` is then used. */
  prepare: (stage: Stage, title?: string) => Promise<Scene | undefined> | Scene | undefined;
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

export const styles: Record<MotionStyle, Style> = {
  'push-in': { prepare: pushIn, begins: 0.25 },
  drift: { prepare: drift, begins: 0.25 },
  breathe: { prepare: breathe, begins: 0.125 },
  // Its beam is outside the picture only at phase 0.
  'light-sweep': { prepare: lightSweep, begins: 0 },
  'floating-print': { prepare: floatingPrint, begins: 0.25, writes: true },
  vintage: { prepare: vintage, begins: 0.25 },
  depth: { prepare: depth, begins: 0.25 },
  parallax: { prepare: parallax, begins: 0.25, otherwise: { style: 'depth', why: noPeople }, fills: true },
  'portrait-light': { prepare: portraitLight, begins: 0.25, otherwise: { style: 'depth', why: noPeople }, fills: true },
  'crowd-pan': {
    prepare: crowdPan,
    begins: 0,
    otherwise: { style: 'push-in', why: 'there are no two faces to go between' },
  },
  alive: {
    prepare: alive,
    begins: 0.25,
    otherwise: { style: 'parallax', why: 'no face in it is large enough, seen from the front and to be cut out' },
    fills: true,
  },
  sky: { prepare: sky, begins: 0, otherwise: { style: 'drift', why: 'no sky that would be seen to move' } },
  water: { prepare: water, begins: 0, otherwise: { style: 'sky', why: 'no water was found' } },
  // At this phase, one to eight flames are all calm, whatever their flicker.
  candlelight: {
    prepare: candlelight,
    begins: 0.3,
    otherwise: { style: 'breathe', why: 'no flame or lamp was found' },
  },
  snow: { prepare: snow, begins: 0.25, fills: true },
  motes: { prepare: motes, begins: 0.25, fills: true },
  leaves: { prepare: leaves, begins: 0.25, fills: true },
  restored: { prepare: restored, begins: 0.25, restores: true },
  reveal: { prepare: reveal, begins: 0.25, restores: true },
};
