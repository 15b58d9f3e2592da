import * as z from 'zod/mini';
import { CaptionForm } from './delivery-forms.ts';

/** Where in a photo, in parts of its width and height from the left top. */
const part = z.number('Please choose a point of the photo').check(z.minimum(0), z.maximum(1));
export const PlaceForm = z.object({ x: part, y: part });
export type PlaceForm = z.output<typeof PlaceForm>;

/** What may move in a photo. */
export const MovesForm = z.object({
  /** Whether people may breathe, look and blink; null: the shop chooses. */
  living: z.nullable(z.boolean()),
  /** There is water, which may ripple. */
  water: z.boolean(),
  /** Where a candle or a lamp is, which may glow. */
  candle: z.nullable(PlaceForm),
});
export type Moves = z.output<typeof MovesForm>;

/** What a customer says of a photo before they are done; what is left out stays as it is. */
export const PhotoForm = z.object({
  caption: z.optional(CaptionForm.shape.caption),
  /** Whether the caption is written on the film. */
  isTitled: z.optional(z.boolean()),
  /** Where the eye goes; null: to the faces, else where the animator sees fit. */
  focus: z.optional(z.nullable(PlaceForm)),
  moves: z.optional(z.nullable(MovesForm)),
});
export type PhotoForm = z.output<typeof PhotoForm>;
