import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { EmailAttachment } from '../ports/mailer.ts';
import { StorageMissing, type Storage } from '../ports/storage.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { storeFilesThenRow, type NewFile } from '../files/files.ts';
import type { ReceivedFile } from '../photos/add-photo.ts';
import { developPicture, isPdf } from '../photos/develop-picture.ts';
import { addAnswerFile, ticketFolder, type KeptAttachment, type TicketFile } from '../support/ticket-messages.ts';

interface Scope {
  db: Db;
  clock: Clock;
  imaging: Imaging;
  storage: Storage;
}

/**
 * Prepares an attachment: a PDF stays as it is, and a picture is decoded and encoded again. Undefined for all other
 * types. Throws a Refusal for a picture that cannot be decoded.
 */
export async function prepareAttachment(
  scope: Omit<Scope, 'storage'>,
  sender: string,
  file: ReceivedFile,
): Promise<(NewFile & KeptAttachment) | undefined> {
  const { name, path, sizeBytes } = file;
  if (await isPdf(path))
    return { name, key: `${ticketFolder}${newId()}.pdf`, path, contentType: 'application/pdf', sizeBytes };
  if (!(await scope.imaging.sniff(path))) return undefined;
  return { name, ...(await developPicture(scope, sender, file, ticketFolder)) };
}

/** Stores a file that the owner wants to send with an answer. */
export async function uploadAnswerFile(scope: Scope, file: ReceivedFile, by: AuditAuthor): Promise<TicketFile> {
  const preparedFile = await prepareAttachment(scope, 'owner', file);
  if (!preparedFile) throw new Refusal('answer-file-type');
  const { name, key, contentType, sizeBytes } = preparedFile;
  return storeFilesThenRow(scope.storage, [preparedFile], () =>
    scope.db.transaction(async (tx) => {
      const addedAnswerFile = await addAnswerFile(tx, scope.clock, { name, key, contentType, sizeBytes });
      await recordAuditEntry(tx, scope.clock, { act: 'add-answer-file', subjectId: addedAnswerFile.id, ...by });
      return addedAnswerFile;
    }),
  );
}

/** Reads the files attached to an email. Leaves out files that were deleted since it was written. */
export async function readAttachments(
  { storage }: { storage: Storage },
  files: { key: string; name: string; contentType: string }[],
): Promise<EmailAttachment[]> {
  const readFiles: EmailAttachment[] = [];
  for (const { key, name, contentType } of files)
    try {
      const stream: Readable = await storage.read(key);
      readFiles.push({ name: createFileName(name, key), contentType, bytes: await buffer(stream) });
    } catch (error) {
      if (!(error instanceof StorageMissing)) throw error;
    }
  return readFiles;
}

/** The file name with the ending of the stored type: a picture was encoded again. */
const createFileName = (name: string, key: string) => {
  const fileExtension = key.slice(key.lastIndexOf('.'));
  return `${name.replace(/\.[a-z0-9]{1,5}$/i, '')}${fileExtension}`;
};
