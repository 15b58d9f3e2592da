import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { motionStyles } from './motion.ts';
import { CaptionForm } from './delivery-forms.ts';

/** A position in a photo, as fractions of its width and height from the top left. */
const fractionField = z.number('Please choose a spot in the photo').check(z.minimum(0), z.maximum(1));
export const PhotoPositionForm = z.object({ x: fractionField, y: fractionField });
export type PhotoPositionForm = z.output<typeof PhotoPositionForm>;

/** What may move in a photo. */
export const AllowedMotionsForm = z.object({
  /** Whether people may breathe, look around and blink. Null means that the shop chooses. */
  living: z.nullable(z.boolean()),
  /** The photo shows water, which may ripple. */
  water: z.boolean(),
  /** The position of a candle or a lamp, which may glow. */
  candle: z.nullable(PhotoPositionForm),
});
export type AllowedMotions = z.output<typeof AllowedMotionsForm>;

/** The name that the shop gave to a picture, as in its address. */
const pictureName = z.string().check(z.regex(/^[\w-]{1,100}\.jpg$/));

/** Changes to a photo before the customer finalizes. Fields that are left out stay unchanged. */
export const PhotoForm = z.object({
  caption: z.optional(CaptionForm.shape.caption),
  /** Whether the caption is written on the video. */
  isTitled: z.optional(z.boolean()),
  /** Where viewers should look. Null means the faces, or the animator's choice if there are none. */
  focus: z.optional(z.nullable(PhotoPositionForm)),
  moves: z.optional(z.nullable(AllowedMotionsForm)),
  /** The motion of the photo's video. Null means that the shop chooses. */
  style: z.optional(z.nullable(z.enum(motionStyles))),
  /** Whether scratches, dust and faded colors are repaired in the video. The photo itself stays as it is. */
  isRepaired: z.optional(z.boolean()),
  /** Whether the paper border of a print stays. The customer is then not asked about it again. */
  keepsBorder: z.optional(z.boolean()),
  /**
   * The file name of the picture in which the positions were chosen. If the photo has been turned or cropped since
   * then, the change is refused.
   */
  fileName: z.optional(pictureName),
});
export type PhotoForm = z.output<typeof PhotoForm>;

/** Whether two photos of a frame share one video. */
export const PhotoPairForm = z
  .object({
    leftId: z.string().check(z.maxLength(64)),
    rightId: z.string().check(z.maxLength(64)),
    /** False if each of them gets its own video. */
    isPair: z.boolean(),
  })
  .check(z.refine(({ leftId, rightId }) => leftId !== rightId, 'Please choose two photos'));
export type PhotoPairForm = z.output<typeof PhotoPairForm>;

const cropSide = z
  .number()
  .check(z.minimum(limits.cropLeastPart, 'Please choose a larger part of the photo'), z.maximum(1));
/** A part of a photo, as fractions of its width and height from the top left. */
export const AreaForm = z
  .object({ left: fractionField, top: fractionField, width: cropSide, height: cropSide })
  .check(
    z.refine(
      ({ left, top, width, height }) => left + width <= 1 + roundingTolerance && top + height <= 1 + roundingTolerance,
      'Please choose a part inside the photo',
    ),
  );
export type AreaForm = z.output<typeof AreaForm>;
/** The sum of two fractions can be slightly more than 1. */
const roundingTolerance = 1e-6;

/** How a photo is turned and cropped before the customer finalizes. The original file stays as it is. */
export const CropForm = z.object({
  /** Clockwise. */
  quarterTurns: z.int().check(z.minimum(0), z.maximum(3)),
  /** The part of the turned photo that is shown. Null means all of it. */
  area: z.nullable(AreaForm),
  /** The file name of the picture that the customer saw. If the photo has changed since then, the change is refused. */
  fileName: pictureName,
});
export type CropForm = z.output<typeof CropForm>;
