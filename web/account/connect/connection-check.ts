import { limits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import type { Problem } from '../problem.ts';

type Photo = Pick<File, 'type' | 'size'>;

/** What is wrong with connection details before they are sent (specification 2, section 5). */
export function connectionProblem(details: { code: string; photo: Photo | undefined }): Problem | undefined {
  const { code, photo } = details;
  if (code.trim() === '' && !photo)
    return { title: 'No Information Provided', words: refusals['connection-empty'].words };
  if (code.trim().length > limits.invitationCodeCharacters)
    return { title: 'Invitation code too long', words: refusals['connection-too-long'].words };
  return photo && qrProblem(photo);
}

/** The same of the photo alone, told as soon as it is chosen. */
export function qrProblem({ type, size }: Photo): Problem | undefined {
  if (!['image/jpeg', 'image/png'].includes(type))
    return { title: 'Invalid file type', words: refusals['qr-type'].words };
  if (size > limits.photoBytes) return { title: 'File size too large', words: refusals['qr-too-large'].words };
  return undefined;
}
