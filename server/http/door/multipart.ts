import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { shownName, type ReceivedFile } from '#shop/photos/photos.ts';
import { refuseUnstorable } from './storable.ts';

export interface ReceivedForm {
  fields: Record<string, string>;
  /** At most one file a field. */
  files: Record<string, ReceivedFile>;
  /** All files of `listField`. */
  list: ReceivedFile[];
}

export interface FormRules {
  workFolder: string;
  fileFields: string[];
  /** The field of which every file is taken, if there is one; a `[]` after its name is no matter. */
  listField?: string;
  /** Asked before each file, with the fields so far: whether its sender is known. Until then one file's bytes are taken, no more. */
  isAdmitted?: (fields: Record<string, string>) => Promise<boolean>;
  /** Of one file; a photo's limit unless said. */
  fileBytes?: number;
  /** What is said when there is no form at all. */
  noForm: 'no-file' | 'no-files-selected' | 'no-film' | 'no-media' | 'connection-empty';
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

/** Add one photo after the other: those that are refused stop none of the others. Refuses where none could be added. */
export async function addEach<T>(
  files: ReceivedFile[],
  add: (file: ReceivedFile, index: number) => Promise<T>,
): Promise<{ added: T[]; refused: { name: string; code: string; message: string }[] }> {
  const added: T[] = [];
  const refusals: Refusal[] = [];
  const refused: { name: string; code: string; message: string }[] = [];
  for (const [index, file] of files.entries())
    try {
      added.push(await add(file, index));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
      refused.push({ name: shownName(file.name), code: error.code, message: error.message });
    }
  if (added.length === 0) throw refusals[0]!;
  return { added, refused };
}

/** Our forms have two fields and a file; a thousand fields of a megabyte would be held in memory all at once. */
const partLimits = {
  files: limits.filesPerRequest,
  fields: 20,
  fieldSize: 10_000,
  parts: limits.filesPerRequest + 20,
};

type Parts = Pick<FormRules, 'fileFields' | 'listField' | 'isAdmitted' | 'fileBytes' | 'tooLarge'>;

async function receive(
  request: FastifyRequest,
  folder: string,
  { fileFields, listField, isAdmitted, fileBytes = limits.photoBytes, tooLarge }: Parts,
): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: {}, files: {}, list: [] };
  let unknownBytes = 0;
  try {
    for await (const part of request.parts({ limits: { ...partLimits, fileSize: fileBytes } })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new Refusal('body-too-large');
        if (typeof part.value === 'string') form.fields[part.fieldname] = part.value;
        continue;
      }
      const isListed = listField !== undefined && part.fieldname.replace(/\[\]$/, '') === listField;
      if (!isListed && (!fileFields.includes(part.fieldname) || form.files[part.fieldname])) {
        part.file.resume();
        continue;
      }
      const isKnown = isAdmitted === undefined || (await isAdmitted(form.fields));
      if (!isKnown && unknownBytes >= fileBytes) throw new Refusal('body-too-large');
      const path = join(folder, `file-${Object.keys(form.files).length + form.list.length}`);
      await pipeline(part.file, createWriteStream(path));
      // A part may be a file by its type alone, without a name.
      const name = (part.filename as string | undefined) ?? '';
      if (part.file.truncated) throw tooLarge(name);
      if (!isKnown) unknownBytes += part.file.bytesRead;
      const file = { path, name, sizeBytes: part.file.bytesRead };
      if (isListed) form.list.push(file);
      else form.files[part.fieldname] = file;
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
