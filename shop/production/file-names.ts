import { photoTypes, type PhotoMime } from '#contract/photo-types.ts';
import type { Frame } from '../frames/frames.ts';
import type { Upload } from '../photos/photos.ts';

/** Reduces a name to letters and digits, so that every file system accepts it as a file name. */
const toSafeName = (name: string) => (name.match(/(?:\p{L}\p{M}*|\p{N})+/gu) ?? []).join('-');
/**
 * Cuts a name by code points, not by UTF-16 units. Half a surrogate pair (for example of a rare kanji) is not valid
 * text.
 */
const truncateName = (name: string) => Array.from(name).slice(0, 60).join('');

type NamedPhoto = Pick<Upload, 'caption' | 'originalFileName'>;

/** Builds a file name without its ending: the number, then the caption or the original file name. */
function createFileStem(ordinal: number, { caption, originalFileName }: NamedPhoto): string {
  const name = (caption ?? originalFileName.replace(/\.[^.\s]*$/, '')).normalize('NFKC');
  return `${String(ordinal).padStart(2, '0')}-${truncateName(toSafeName(name)) || 'photo'}`;
}

/** The file name of a video. `ordinal` is the photo's place in the frame, from 1. */
export const videoFileName = (ordinal: number, photo: NamedPhoto): string => `${createFileStem(ordinal, photo)}.mp4`;
/** The file name of an original photo. `ordinal` is the photo's place in the frame, from 1. */
export const originalName = (ordinal: number, photo: NamedPhoto & Pick<Upload, 'mimeType'>): string =>
  `${createFileStem(ordinal, photo)}.${photoTypes[photo.mimeType as PhotoMime][0]}`;
/** The folder name of a frame, unique within its order. */
export const nameFrameFolder = ({ name, position }: Pick<Frame, 'name' | 'position'>): string =>
  `${truncateName(toSafeName(name.normalize('NFKD'))) || 'frame'}-${position}`;
