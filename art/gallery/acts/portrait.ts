import { type Act, fillWithGradient } from '../stage.ts';
import { evening } from './common.ts';

/** Close-ups of people: nothing moves. Only warm light from one side and dark corners are added. */
export const portrait = (x: number, y: number, color: string) => async (): Promise<Act> => ({
  behind: (g) => fillWithGradient(g, [[0, '#f3e0a6']]),
  grade: evening(x, y, color, 0.2, 0.3),
});
