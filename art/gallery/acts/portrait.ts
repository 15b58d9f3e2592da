import { type GalleryAnimation, fillWithGradient } from '../stage.ts';
import { createEveningLightPainter } from './common.ts';

/** Close-ups of people: nothing moves. Only warm light from one side and dark corners are added. */
export const definePortraitAnimation =
  (x: number, y: number, color: string) => async (): Promise<GalleryAnimation> => ({
    drawBehind: (g) => fillWithGradient(g, [[0, '#f3e0a6']]),
    grade: createEveningLightPainter(x, y, color, 0.2, 0.3),
  });
