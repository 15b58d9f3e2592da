import { photoTypes, type PhotoMime } from '#contract/photo-types.ts';
import type { Frame } from '../frames/frames.ts';
import type { Upload } from '../photos/photos.ts';

/** Names under which files are saved: letters and digits, safe on every disk, whatever the customer called them. */
const safe = (name: string) => (name.match(/(?:\p{L}\p{M}*|\p{N})+/gu) ?? []).join('-');
/** By letters, not by halves of them: half a rare kanji is no text. */
const cut = (name: string) => Array.from(name).slice(0, 60).join('');

type Named = Pick<Upload, 'caption' | 'originalFileName'>;

/** A title or the file's own name, numbered. */
function stemOf(place: number, { caption, originalFileName }: Named): string {
  const name = (caption ?? originalFileName.replace(/\.[^.\s]*$/, '')).normalize('NFKC');
  return `${String(place).padStart(2, '0')}-${cut(safe(name)) || 'photo'}`;
}

/** Of a video; its photo's place among the frame's is from 1. */
export const savedName = (place: number, photo: Named): string => `${stemOf(place, photo)}.mp4`;
/** Of a photo as it came. */
export const originalName = (place: number, photo: Named & Pick<Upload, 'mimeType'>): string =>
  `${stemOf(place, photo)}.${photoTypes[photo.mimeType as PhotoMime][0]}`;
/** Another for each frame of an order. */
export const frameFolder = ({ name, position }: Pick<Frame, 'name' | 'position'>): string =>
  `${cut(safe(name.normalize('NFKD'))) || 'frame'}-${position}`;
