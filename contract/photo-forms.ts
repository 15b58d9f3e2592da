import * as z from 'zod/mini';
import { motionStyles } from './motion.ts';
import { CaptionForm } from './delivery-forms.ts';

/** A position in a photo, as fractions of its width and height from the top left. */
const part = z.number('Please choose a spot in the photo').check(z.minimum(0), z.maximum(1));
export const PlaceForm = z.object({ x: part, y: part });
export type PlaceForm = z.output<typeof PlaceForm>;

/** What may move in a photo. */
export const MovesForm = z.object({
  /** Whether people may breathe, look around and blink. Null means that the shop chooses. */
  living: z.nullable(z.boolean()),
  /** The photo shows water, which may ripple. */
  water: z.boolean(),
  /** The position of a candle or a lamp, which may glow. */
  candle: z.nullable(PlaceForm),
});
export type Moves = z.output<typeof MovesForm>;

/** Changes to a photo before the customer finalizes. Fields that are left out stay unchanged. */
export const PhotoForm = z.object({
  caption: z.optional(CaptionForm.shape.caption),
  /** Whether the caption is written on the video. */
  isTitled: z.optional(z.boolean()),
  /** Where viewers should look. Null means the faces, or the animator's choice if there are none. */
  focus: z.optional(z.nullable(PlaceForm)),
  moves: z.optional(z.nullable(MovesForm)),
  /** The motion of the photo's video. Null means that the shop chooses. */
  style: z.optional(z.nullable(z.enum(motionStyles))),
});
export type PhotoForm = z.output<typeof PhotoForm>;
