import { type Act, wash } from '../stage.ts';
import { evening } from './common.ts';

/** People, close: the picture is whole as it comes from the camera; only its corners fall off. */
export const portrait = (x: number, y: number, colour: string) => async (): Promise<Act> => ({
  behind: (g) => wash(g, [[0, '#f3e0a6']]),
  grade: evening(x, y, colour, 0.2, 0.3),
});
