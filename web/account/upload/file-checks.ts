import { photoTypes } from '#contract/photo-types.ts';
import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { countText } from '#contract/count-text.ts';
import type { InputProblem } from '../input-problem.ts';
import { photoFileExtensions } from '../accepted-files.ts';

type CheckedFiles<F> = { accepted: F[]; problems: InputProblem[] };

/** How many photos can be chosen at once while the frame's remaining room is unknown. */
const fallbackMaxPhotos = 10;

/**
 * Returns which of the chosen files to send. The shop checks the files again; this check gives immediate feedback.
 * Unusable files are not sent, and the problems name them. If there are more photos than room, none is accepted,
 * because only the customer knows which of them to keep.
 *
 * @param room the number of photos that the frame still accepts, without the photos that are uploading
 */
export function checkFiles<F extends { name: string; type: string; size: number }>(
  files: readonly F[],
  frame: { room: number | undefined } | undefined,
): CheckedFiles<F> {
  if (!frame)
    return { accepted: [], problems: [{ title: 'Frame not selected', words: refusals['frame-not-selected'].words }] };
  const problems: InputProblem[] = [];
  const otherFiles = files.filter((it) => !isPhoto(it));
  if (otherFiles.length > 0)
    problems.push({
      title: 'Invalid file type',
      words: refusals['invalid-file-type'].words({ names: joinFileNames(otherFiles) }),
    });
  const photos = files.filter(isPhoto);
  const largePhotos = photos.filter((it) => it.size > limits.photoBytes);
  if (largePhotos.length > 0)
    problems.push({
      title: 'File size too large',
      words: refusals['file-too-large'].words({ names: joinFileNames(largePhotos) }),
    });
  const fittingPhotos = photos.filter((it) => it.size <= limits.photoBytes);
  const roomInFrame = frame.room ?? fallbackMaxPhotos;
  if (fittingPhotos.length > roomInFrame) {
    problems.push({ title: 'Upload limit reached', words: limitText(roomInFrame, fittingPhotos.length) });
    return { accepted: [], problems };
  }
  return { accepted: fittingPhotos, problems };
}

const limitText = (remainingPhotos: number, chosen: number) =>
  remainingPhotos <= 0
    ? refusals['photo-limit-reached'].words
    : `You chose ${countText(chosen, 'photo')}, but you can only upload ${remainingPhotos} more to this frame. Please choose ${remainingPhotos === 1 ? 'one' : `up to ${remainingPhotos}`}.`;

/** If the MIME type is missing or not standard, the file extension decides. */
const isPhoto = ({ name, type }: { name: string; type: string }) =>
  Object.hasOwn(photoTypes, type.toLowerCase()) ||
  ((type === '' || type === 'application/octet-stream' || type === 'image/jpg') &&
    photoFileExtensions.includes(readFileExtension(name)));

const readFileExtension = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();
const joinFileNames = (files: readonly { name: string }[]) => files.map((it) => it.name).join(', ');
