/** The motions a photo can be brought to life with; the animator knows how to draw each. */
export const motionStyles = [
  'push-in',
  'drift',
  'breathe',
  'light-sweep',
  'floating-print',
  'vintage',
  'depth',
  'parallax',
  'portrait-light',
  'crowd-pan',
  'alive',
  'sky',
  'water',
  'candlelight',
  'snow',
  'motes',
  'leaves',
  'restored',
  'reveal',
] as const;
export type MotionStyle = (typeof motionStyles)[number];

/** The panel of the 10-inch frame, in pixels, landscape. */
export const panel = { width: 1280, height: 800 } as const;

/** What was done to a photo to make its video: told in the video's own metadata and where it is handed over. */
export interface Provenance {
  /** On the shop's own machine by moving what the photo shows, by a hosted model that makes pictures up, or by a person. */
  by: 'local' | 'hosted' | 'hand';
  /** The hosted model's name. */
  model?: string;
  /** The motion it was given, */
  style: MotionStyle;
  /** and the one asked for, where the photo did not allow it, with why. */
  insteadOf?: { style: MotionStyle; why: string };
  /** What lies behind people was made up where they move aside: painted by a model, or flowed in from round about. */
  filledBackground?: 'painted' | 'blended';
  /** Old damage was mended and faded colours brought back. */
  isRestored?: boolean;
  /** Its title was to be written on it: whether it is, or would have lain over a face. */
  isTitled?: boolean;
}

/** In one line for whoever gets the video, or is shown a family's, what was done to the photo. */
export function provenanceWords(
  {
    by,
    model,
    filledBackground,
    isRestored,
    isTitled,
  }: {
    by: Provenance['by'];
    model?: string | undefined;
    filledBackground?: Provenance['filledBackground'] | undefined;
    isRestored?: boolean | undefined;
    isTitled?: boolean | undefined;
  },
  { isShared = false } = {},
): string {
  if (by === 'hosted')
    return `Made from ${isShared ? 'a family’s' : 'your'} photo by an AI model${model ? `: ${model}` : ''}`;
  if (by === 'hand') return `Made by hand ${isShared ? '' : 'for you '}by our people`;
  const also = [
    isRestored && 'mended and its colors brought back',
    filledBackground === 'painted' && 'what was hidden behind people painted in by a model',
    filledBackground === 'blended' && 'what was hidden behind people filled in from around them',
  ].filter(Boolean);
  return [
    `${isShared ? 'A family’s' : 'Your'} own photo, set in motion on our machines`,
    ...(also.length > 0 ? also : ['nothing in it made up']),
    ...(isTitled === undefined
      ? []
      : [isTitled ? 'its title written on it' : 'its title left out, for it would have lain over a face']),
  ].join(', ');
}
