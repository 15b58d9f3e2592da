import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { sanitizedFileName, type ReceivedFile } from '#shop/photos/add-photo.ts';
import { refuseUnstorable } from './storable.ts';

export interface ReceivedForm {
  fields: Record<string, string>;
  /** At most one file per field. */
  files: Record<string, ReceivedFile>;
  /** All files of `listField`. */
  list: ReceivedFile[];
}

export interface FormRules {
  workFolder: string;
  fileFields: string[];
  /** The name of the field that may have several files. A `[]` after the name in the form is ignored. */
  listField?: string;
  /**
   * Called before each file with the fields received so far. Returns true if the sender is authorized. Before that, all
   * files together may have the size of one file, so that unknown senders cannot fill the disk.
   */
  isAdmitted?: (fields: Record<string, string>) => Promise<boolean>;
  /** The maximum size of one file. By default, the maximum size of a photo. */
  fileBytes?: number;
  /** The refusal of a request that is not a multipart form. */
  noForm:
    | 'no-file'
    | 'no-files-selected'
    | 'no-film'
    | 'no-media'
    | 'connection-empty'
    | 'return-incomplete'
    | 'answer-file-missing';
  tooLarge: (name: string) => Refusal;
}

/**
 * Save the files of a form on the local disk and pass the form to `use`. Fields and files may arrive in any order. A
 * file is refused as soon as it exceeds the limit. All files are deleted afterwards.
 */
export async function receiveForm<T>(
  request: FastifyRequest,
  { workFolder, noForm, ...rules }: FormRules,
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Refusal(noForm);
  const folder = await mkdtemp(join(workFolder, 'form-'));
  try {
    const form = await receivePart(request, folder, rules);
    refuseUnstorable(form.fields);
    return await use(form);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Add photos one after the other. A refused photo does not stop the others. Throws if none could be added. */
export async function addPhotosOneByOne<T>(
  files: ReceivedFile[],
  add: (file: ReceivedFile, index: number) => Promise<T>,
): Promise<{ added: T[]; refused: { name: string; code: string; message: string }[] }> {
  const addedItems: T[] = [];
  const refusals: Refusal[] = [];
  const refusedFiles: { name: string; code: string; message: string }[] = [];
  for (const [index, file] of files.entries())
    try {
      addedItems.push(await add(file, index));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusals.push(error);
      refusedFiles.push({ name: sanitizedFileName(file.name), code: error.code, message: error.message });
    }
  if (addedItems.length === 0) throw refusals[0]!;
  return { added: addedItems, refused: refusedFiles };
}

/**
 * Fields are kept in memory, so limit their number and size: a form with a thousand fields of a megabyte would fill it.
 * The shop's own forms have only a few fields.
 */
const partLimits = {
  files: limits.filesPerRequest,
  fields: 20,
  fieldSize: 10_000,
  parts: limits.filesPerRequest + 20,
};

type PartRules = Pick<FormRules, 'fileFields' | 'listField' | 'isAdmitted' | 'fileBytes' | 'tooLarge'>;

async function receivePart(
  request: FastifyRequest,
  folder: string,
  { fileFields, listField, isAdmitted, fileBytes = limits.photoBytes, tooLarge }: PartRules,
): Promise<ReceivedForm> {
  const form: ReceivedForm = { fields: {}, files: {}, list: [] };
  let unknownBytes = 0;
  async function* countUnknownBytes(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      unknownBytes += chunk.length;
      if (unknownBytes > fileBytes) throw new Refusal('body-too-large');
      yield chunk;
    }
  }
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
      const isSenderAdmitted = isAdmitted === undefined || (await isAdmitted(form.fields));
      const path = join(folder, `file-${Object.keys(form.files).length + form.list.length}`);
      if (isSenderAdmitted) await pipeline(part.file, createWriteStream(path));
      else await pipeline(part.file, countUnknownBytes, createWriteStream(path));
      // A part with a file type but without a name is also a file.
      const name = (part.filename as string | undefined) ?? '';
      if (part.file.truncated) throw tooLarge(name);
      const file = { path, name, sizeBytes: part.file.bytesRead };
      if (isListed) form.list.push(file);
      else form.files[part.fieldname] = file;
    }
  } catch (error) {
    throw isBrokenForm(error) ? new Refusal('invalid-request') : error;
  }
  return form;
}

/**
 * True if the form is malformed: the parser reports this as a plain Error. Errors of the shop, Fastify and the disk
 * have their own class or a code.
 */
function isBrokenForm(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    code === 'ERR_STREAM_PREMATURE_CLOSE' || (code === undefined && Object.getPrototypeOf(error) === Error.prototype)
  );
}
