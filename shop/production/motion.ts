import type { MotionStyle } from '#contract/motion.ts';
import type { Moves } from '#contract/photo-forms.ts';
import type { Seen } from '../ports/seeing.ts';

interface Shape {
  width: number;
  height: number;
}
/**
 * The motions that a photo's kind is given in turn, so that neighbours in a frame move differently. What may hurt (a blink
 * on the picture of someone who has died), what alters a photo (snow, mending) and what is guessed too often (water) only
 * a person chooses.
 */
const turns = {
  anything: ['push-in', 'drift', 'light-sweep', 'breathe', 'depth'],
  /** Much narrower or wider than the panel: whole, as a print over its own soft backdrop. */
  unlikePanel: ['floating-print'],
  person: ['parallax', 'portrait-light'],
  group: ['parallax', 'crowd-pan', 'push-in'],
  /** People who cannot be cut out of their photo. */
  faces: ['push-in', 'depth', 'breathe'],
  burnt: ['push-in', 'drift', 'breathe', 'depth'],
  clouds: ['sky', 'depth', 'drift'],
} satisfies Record<string, MotionStyle[]>;

const isUnlikePanel = ({ width, height }: Shape) => {
  const ratio = width / height;
  return ratio < 1.15 || ratio > 2.3;
};
/** Faces smaller than this part of the height are too far off to go to one by one. */
const nearFace = 0.1;
/** A sky of this part of the picture is worth its drift. */
const wideSky = 0.15;
/** From this part on, more light would only take from the picture. */
const burntPart = 0.12;

/** As its customer wishes, else chosen by what the photo shows, as far as that is known. */
export function motionFor(photo: Shape & { moves: Moves | null }, place: number, seen?: Seen): MotionStyle {
  const wished = wishedMotion(photo.moves, seen);
  if (wished) return wished;
  const turn: MotionStyle[] = turns[kindOf(photo, seen)];
  return turn[place % turn.length]!;
}

/** The smallest thing that somebody took the trouble to point at comes first. */
function wishedMotion(moves: Moves | null, seen: Seen | undefined): MotionStyle | undefined {
  if (moves?.candle) return 'candlelight';
  if (moves?.water) return 'water';
  const hasFace = seen === undefined || seen.faces.some((it) => it.isMain);
  return moves?.living && hasFace ? 'alive' : undefined;
}

function kindOf(photo: Shape, seen: Seen | undefined): keyof typeof turns {
  const faces = seen?.faces.filter((it) => it.isMain) ?? [];
  if (seen && faces.length === 1) return seen.people > 0 ? 'person' : 'faces';
  if (seen && faces.length > 1) {
    const areNear = faces.length <= 5 && faces.every((it) => it.height >= nearFace);
    return seen.people > 0 && areNear ? 'group' : 'faces';
  }
  if (isUnlikePanel(photo)) return 'unlikePanel';
  if (seen?.sky?.hasClouds && seen.sky.part >= wideSky) return 'clouds';
  return seen && seen.light.burnt > burntPart ? 'burnt' : 'anything';
}
