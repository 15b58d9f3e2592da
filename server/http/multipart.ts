import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import type { ReceivedFile } from '#shop/photos/photos.ts';
import { refuseUnstorable } from './storable.ts';

export interface ReceivedForm {
  fields: Record<string, string>;
  /** At most one file a field. */
  files: Record<string, ReceivedFile>;
}

export interface FormRules {
  workFolder: string;
  fileFields: string[];
  /** What is said when there is no form at all. */
  noForm: 'no-file' | 'connection-empty';
  tooLarge: (name: string) => Refusal;
}

/**
 * Receive a form onto local disk, whatever the order of its parts, and hand it to `use`; nothing of it is left
 * afterwards. A file over the limit is refused as soon as it is seen to be.
 */
export async function withForm<T>(
  request: FastifyRequest,
  { workFolder, noForm, ...rules }: FormRules,
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Refusal(noForm);
  const folder = await mkdtemp(join(workFolder, 'form-'));
  try {
    const form = await receive(request, folder, rules);
    refuseUnstorable(form.fields);
    return await use(form);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Our forms have two fields and a file; a thousand fields of a megabyte would be held in memory all at once. */
const partLimits = {
  fileSize: limits.photoBytes,
  files: limits.filesPerRequest,
  fields: 20,
  fieldSize: 10_000,
  parts: limits.filesPerRequest + 20,
};

type Parts = Pick<FormRules, 'fileFields' | 'tooLarge'>;

async function receive(
  request: FastifyRequest,
  folder: string,
  { fileFields, tooLarge }: Parts,
): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: {}, files: {} };
  try {
    for await (const part of request.parts({ limits: partLimits })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new Refusal('body-too-large');
        if (typeof part.value === 'string') form.fields[part.fieldname] = part.value;
        continue;
      }
      if (!fileFields.includes(part.fieldname) || form.files[part.fieldname]) {
        part.file.resume();
        continue;
      }
      const path = join(folder, `file-${Object.keys(form.files).length}`);
      await pipeline(part.file, createWriteStream(path));
      // A part may be a file by its type alone, without a name.
      const name = (part.filename as string | undefined) ?? '';
      if (part.file.truncated) throw tooLarge(name);
      form.files[part.fieldname] = { path, name, sizeBytes: part.file.bytesRead };
    }
  } catch (error) {
    throw isBrokenForm(error) ? new Refusal('invalid-request') : error;
  }
  return form;
}

/** What the parser says of bytes that are no form: plain errors, unlike ours, the door's and the disk's. */
function isBrokenForm(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === undefined && Object.getPrototypeOf(error) === Error.prototype)
  );
}
