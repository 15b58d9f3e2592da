/** The motions that a photo can get. The animator implements each of them. */
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
  'own-motion',
] as const;
export type MotionStyle = (typeof motionStyles)[number];

interface MotionText {
  /** The motion's short name, for the owner. */
  name: string;
  /** The text with which customers choose the motion. */
  wish: string;
  /** The text on a photo for which this motion is planned. */
  plan: string;
}
/** The texts of every motion. Customers see the choices in this order. */
export const motionTexts: Record<MotionStyle, MotionText> = {
  'own-motion': { name: 'Its own motion', wish: 'Show its own motion', plan: 'Its own motion' },
  'push-in': { name: 'Push in', wish: 'Move slowly closer', plan: 'Moves slowly closer' },
  drift: { name: 'Drift', wish: 'Drift across the picture', plan: 'Drifts slowly across' },
  breathe: { name: 'Breathe', wish: 'Breathe gently', plan: 'Breathes very gently' },
  depth: { name: 'Depth', wish: 'Show depth', plan: 'Shows its depth' },
  'light-sweep': { name: 'Light sweep', wish: 'Let light move across it', plan: 'Light moves across' },
  'floating-print': { name: 'Floating print', wish: 'Show it whole, as a print', plan: 'A floating print' },
  vintage: { name: 'Vintage', wish: 'Look like an old film', plan: 'An old film' },
  parallax: { name: 'Layers', wish: 'Separate people from the background', plan: 'People stand out' },
  'portrait-light': {
    name: 'Portrait light',
    wish: 'Light on faces, background soft',
    plan: 'Light on faces',
  },
  'crowd-pan': { name: 'From face to face', wish: 'Move from face to face', plan: 'Face to face' },
  alive: {
    name: 'Alive: breath, head, blink',
    wish: 'Breathe, look and blink (maybe not for someone who has died)',
    plan: 'Breathes and blinks',
  },
  sky: { name: 'Drifting sky', wish: 'Let the clouds drift', plan: 'Clouds drift by' },
  water: { name: 'Water and sky', wish: 'Let the water ripple', plan: 'Water ripples gently' },
  candlelight: { name: 'Candlelight', wish: 'Let candles and lamps glow', plan: 'Candles glow softly' },
  snow: { name: 'Snow', wish: 'Let it snow', plan: 'Snow falls softly' },
  motes: { name: 'Dust in the light', wish: 'Let dust float in the light', plan: 'Dust floats by' },
  leaves: { name: 'Falling leaves', wish: 'Let leaves fall', plan: 'Leaves fall softly' },
  restored: { name: 'Restored', wish: 'Repair an old photo', plan: 'Repaired old photo' },
  reveal: { name: 'Before and after', wish: 'Show before and after the repair', plan: 'Before and after' },
};
/** Every motion, in the order in which customers see the choices. */
export const motionChoices = Object.keys(motionTexts) as MotionStyle[];
/** The choices for one photo. Its own motion is a choice only if its file contains a film or an animation. */
export const motionChoicesFor = ({ hasOwnMotion }: { hasOwnMotion: boolean }): MotionStyle[] =>
  motionChoices.filter((it) => it !== 'own-motion' || hasOwnMotion);

/** Whether people move in videos with this motion. It then contradicts a photo whose people must stay still. */
export const movesPeople = (style: MotionStyle | null): boolean => style === 'alive' || style === 'own-motion';

/** How the camera moves around people and animals in a photo: closer, from side to side, or from face to face. */
export type CameraMovement = 'approach' | 'drift' | 'visit';

/** The panel of the 10-inch frame, in pixels, landscape. */
export const framePanelSize = { width: 1280, height: 800 } as const;

/** How a video was made from its photo. It is stored in the video's metadata and shown where the video is delivered. */
export interface Provenance {
  /**
   * `local`: rendered on the shop's computer by moving parts of the photo. `hosted`: made by a hosted generative model.
   * `hand`: made by a person.
   */
  by: 'local' | 'hosted' | 'hand';
  /** The hosted model's name. */
  model?: string;
  /** The motion that the video has. */
  style: MotionStyle;
  /** The motion that was requested, if the photo did not allow it, with the reason. */
  insteadOf?: { style: MotionStyle; why: string };
  /** How the background was filled in where people move aside: painted by a model, or blended from the surroundings. */
  filledBackground?: 'painted' | 'blended';
  /** Damage was repaired and faded colors were restored. */
  isRestored?: boolean;
  /**
   * Whether the title is written on the video. False if it would have covered a face. Absent if no title was requested.
   */
  isTitled?: boolean;
  /** The motion of the second photo, if the video shows two photos side by side. */
  secondStyle?: MotionStyle;
}

interface VideoProduction {
  by: Provenance['by'];
  model?: string | undefined;
  style?: MotionStyle | undefined;
  filledBackground?: Provenance['filledBackground'] | undefined;
  isRestored?: boolean | undefined;
  isTitled?: boolean | undefined;
  secondStyle?: MotionStyle | undefined;
}

/** Returns one sentence about how the video was made: for its customer, or with `isShared` for other viewers. */
export function provenanceSentence(made: VideoProduction, { isShared = false } = {}): string {
  const { by, filledBackground, isRestored, secondStyle } = made;
  if (by === 'hosted') return `Made from ${isShared ? 'a family' : 'your'} photo by AI.`;
  if (by === 'hand') return `Made by hand by our team${isShared ? '' : ' for you'}.`;
  const isUnchanged = !isRestored && filledBackground === undefined;
  const photosPhrase =
    secondStyle === undefined
      ? `${isShared ? 'a family' : 'your own'} photo`
      : `two ${isShared ? 'family' : 'of your'} photos`;
  return `Animated from ${photosPhrase} on our own computers${isUnchanged ? ', with nothing made up' : ''}.`;
}

/** Returns sentences about the motion, the model and each change to the photo. Empty if a person made the video. */
export function listProvenanceDetails(made: VideoProduction): string[] {
  const { by, model, style, filledBackground, isRestored, isTitled, secondStyle } = made;
  if (by === 'hand') return [];
  if (by === 'hosted') return model ? [`The AI model is ${model}.`] : [];
  const isPair = secondStyle !== undefined;
  return [
    ...(isPair && style
      ? [`On the left: ${planText(style)}.`, `On the right: ${planText(secondStyle)}.`]
      : [style === 'own-motion' ? 'The motion was recorded with the photo.' : style && `Motion: ${planText(style)}.`]),
    isRestored && 'We repaired the photo and brought its colors back.',
    filledBackground === 'painted' && 'The background behind people was filled in by AI.',
    filledBackground === 'blended' && 'The background behind people was filled in from what’s around them.',
    isTitled === true && 'Its title is written on it.',
    isTitled === false && 'We left its title off, because it would have covered a face.',
  ].filter((it) => typeof it === 'string');
}

const planText = (style: MotionStyle): string => motionTexts[style].plan.toLowerCase();

/** All sentences as one text, for the metadata of the video file. */
export const provenanceText = (made: VideoProduction): string =>
  [provenanceSentence(made), ...listProvenanceDetails(made)].join(' ');

/**
 * Why a requested motion is not possible, before the video is made: what we could not find in the photo, and what we do
 * instead.
 */
export const unavailableMotionTexts = {
  'own-motion': 'We can’t use the motion in this photo’s file, so we’ll animate the still picture instead.',
  alive: 'We can’t see their eyes well enough to make them blink, so we’ll move the camera instead.',
  water: 'We can’t find the water in this photo, so we may move the camera instead.',
} satisfies Partial<Record<MotionStyle, string>>;

/** Returns why a finished video does not have the requested motion (`requestedStyle`). */
export function madeInsteadText(requestedStyle: MotionStyle): string {
  const missingMotionTexts = {
    'own-motion': 'use the motion in this photo’s file',
    alive: 'see their eyes well enough to make them blink',
    water: 'find the water in this photo',
    sky: 'find clouds in this photo that could drift',
    candlelight: 'find a flame or a lamp in this photo',
    parallax: 'separate the people from the background',
    'portrait-light': 'separate the people from the background',
    'crowd-pan': 'find two faces to move between',
  } as Partial<Record<MotionStyle, string>>;
  return `We couldn’t ${missingMotionTexts[requestedStyle] ?? 'make the motion you chose'}, so this video moves in another way.`;
}
