import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { tidyFrameCode } from '#contract/tidy.ts';
import type { InputProblem } from '../input-problem.ts';

type QrPhotoFile = Pick<File, 'type' | 'size'>;

/** Checks connection details before they are sent (specification 2, section 5). Undefined if they are valid. */
export function findConnectionProblem(details: {
  code: string;
  photo: QrPhotoFile | undefined;
}): InputProblem | undefined {
  const { code, photo } = details;
  if (tidyFrameCode(code) === '' && !photo)
    return { title: 'No Information Provided', words: refusals['connection-empty'].words };
  if (tidyFrameCode(code).length > limits.invitationCodeCharacters)
    return { title: 'Invitation code too long', words: refusals['connection-too-long'].words };
  return photo && findQrProblem(photo);
}

/** Checks only the photo, as soon as it is chosen. */
export function findQrProblem({ type, size }: QrPhotoFile): InputProblem | undefined {
  if (!['image/jpeg', 'image/png'].includes(type))
    return { title: 'Invalid file type', words: refusals['qr-type'].words };
  if (size > limits.photoBytes) return { title: 'File size too large', words: refusals['qr-too-large'].words };
  return undefined;
}
