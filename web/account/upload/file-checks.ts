import { limits } from '#contract/limits.ts';
import { photoTypes } from '#contract/photo-types.ts';
import { refusals } from '#contract/refusals.ts';
import { counted } from '#contract/count-words.ts';
import type { Problem } from '../problem.ts';

const endings: string[] = Object.values(photoTypes).flat();

/** What the file chooser offers. By ending too: many computers know no MIME type for HEIC. */
export const acceptedFiles = [...Object.keys(photoTypes), ...endings.map((it) => `.${it}`)].join(',');

type Checked<F> = { accepted: F[]; problems: Problem[] };

/** How many photos can be chosen while nobody knows what the frame still holds. */
const fallbackMost = 10;

/**
 * Which of the chosen files to send. The shop checks again; here people hear it at once. Files that cannot be used are
 * left out and named; more than the frame has room for and none is taken, because only the customer knows which to keep.
 *
 * @param room photos the frame still takes, those on their way already counted off
 */
export function checkFiles<F extends { name: string; type: string; size: number }>(
  files: readonly F[],
  frame: { room: number | undefined } | undefined,
): Checked<F> {
  if (!frame)
    return { accepted: [], problems: [{ title: 'Frame not selected', words: refusals['frame-not-selected'].words }] };
  const problems: Problem[] = [];
  const foreign = files.filter((it) => !isPhoto(it));
  if (foreign.length > 0)
    problems.push({
      title: 'Invalid file type',
      words: refusals['invalid-file-type'].words({ names: namesOf(foreign) }),
    });
  const photos = files.filter(isPhoto);
  const large = photos.filter((it) => it.size > limits.photoBytes);
  if (large.length > 0)
    problems.push({ title: 'File size too large', words: refusals['file-too-large'].words({ names: namesOf(large) }) });
  const fitting = photos.filter((it) => it.size <= limits.photoBytes);
  const room = frame.room ?? fallbackMost;
  if (fitting.length > room) {
    problems.push({ title: 'Upload limit reached', words: limitWords(room, fitting.length) });
    return { accepted: [], problems };
  }
  return { accepted: fitting, problems };
}

const limitWords = (room: number, chosen: number) =>
  room <= 0
    ? refusals['photo-limit-reached'].words
    : `You chose ${counted(chosen, 'photo')}, and you can upload ${room} more to this frame. Please choose ${room === 1 ? 'one' : `up to ${room}`}.`;

/** Without a MIME type, or with one this computer made up, the ending decides. */
const isPhoto = ({ name, type }: { name: string; type: string }) =>
  Object.hasOwn(photoTypes, type.toLowerCase()) ||
  ((type === '' || type === 'application/octet-stream' || type === 'image/jpg') && endings.includes(endingOf(name)));

const endingOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
const namesOf = (files: readonly { name: string }[]) => files.map((it) => it.name).join(', ');
