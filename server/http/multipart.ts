import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { shownName, type ReceivedFile } from '#shop/photos/photos.ts';

export interface ReceivedForm {
  fields: Record<string, string>;
  /** At most one file a field. */
  files: Record<string, ReceivedFile>;
}

/**
 * Receive a form onto local disk, whatever the order of its parts, and hand it to `use`; nothing of it is left
 * afterwards. A file over the limit is refused as soon as it is seen to be.
 */
export async function withForm<T>(
  request: FastifyRequest,
  { workFolder, fileFields }: { workFolder: string; fileFields: string[] },
  use: (form: ReceivedForm) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new Refusal('no-file');
  const folder = await mkdtemp(join(workFolder, 'form-'));
  try {
    const form: ReceivedForm = { fields: {}, files: {} };
    for await (const part of request.parts({
      limits: { fileSize: limits.photoBytes, files: limits.filesPerRequest },
    })) {
      if (part.type === 'field') {
        if (typeof part.value === 'string') form.fields[part.fieldname] = part.value;
        continue;
      }
      if (!fileFields.includes(part.fieldname) || form.files[part.fieldname]) {
        part.file.resume();
        continue;
      }
      const path = join(folder, `file-${Object.keys(form.files).length}`);
      await pipeline(part.file, createWriteStream(path));
      if (part.file.truncated) throw new Refusal('file-too-large', { names: shownName(part.filename) });
      form.files[part.fieldname] = { path, name: part.filename, sizeBytes: part.file.bytesRead };
    }
    return await use(form);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
