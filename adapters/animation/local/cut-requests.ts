import type { MotionStyle } from '#contract/motion.ts';
import type { CutOutRequest } from '../../seeing/cut-photo.ts';

const peopleCutOutRequest: CutOutRequest = { people: true, behind: true, nearness: true };
/** The parts of the photo that each style needs. Styles that are not listed need none. */
export const cutRequestByStyle: Partial<Record<MotionStyle, CutOutRequest>> = {
  depth: { nearness: true },
  parallax: peopleCutOutRequest,
  'portrait-light': peopleCutOutRequest,
  snow: peopleCutOutRequest,
  motes: peopleCutOutRequest,
  leaves: peopleCutOutRequest,
  sky: { sky: true },
  water: { sky: true, water: true },
  alive: { ...peopleCutOutRequest, meshes: true },
};

/** The styles whose camera can move along a photo that is longer than the video. */
export const travelingCameraStyles: ReadonlySet<MotionStyle> = new Set(['alive', 'parallax', 'drift']);
