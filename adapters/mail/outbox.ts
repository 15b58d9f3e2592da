/**
 * Writes emails as .eml files into a folder, one file per email. This is the default mailer: no email leaves the
 * machine.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Email, Mailer } from '#shop/ports/mailer.ts';
import { syncFolder, writeAndSync } from '../storage/durable-file.ts';
import { createMailMessage, createSafeMailId } from './composing.ts';

export function createOutboxMailer(folder: string): Mailer {
  const outbox = resolve(folder);
  let composerPromise: ReturnType<typeof openComposer> | undefined;
  let folderPromise: Promise<Set<string>> | undefined;

  /**
   * Lists the file-name endings (`-id.eml`) of all emails once. The list then stays in memory, so it lacks emails that
   * another process writes later. This is harmless: the date of an email does not change, so sending it again writes a
   * file with the same name.
   */
  async function openFolder(): Promise<Set<string>> {
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    return new Set((await readdir(outbox)).map((name) => name.slice(timestampLength)));
  }

  async function writeMail(name: string, mail: Buffer): Promise<void> {
    const unfinishedPath = join(outbox, `.${randomUUID()}.part`);
    try {
      await writeAndSync(unfinishedPath, mail);
      await rename(unfinishedPath, join(outbox, name));
    } catch (error) {
      await rm(unfinishedPath, { force: true });
      throw error;
    }
    await syncOutbox();
  }

  let lastSync = Promise.resolve();
  let nextSync: Promise<void> | undefined;
  /**
   * Syncs the folder to disk. Without this, a power loss could remove the name of a new file. Emails that are written
   * during a sync share the next sync.
   */
  function syncOutbox(): Promise<void> {
    return (nextSync ??= lastSync
      .catch(() => {})
      .then(() => {
        nextSync = undefined;
        return (lastSync = syncFolder(outbox));
      }));
  }

  return {
    kind: 'outbox',

    async send(email) {
      const { message } = await (await (composerPromise ??= openComposer())).sendMail(createMailMessage(email));
      if (!Buffer.isBuffer(message)) throw new Error('the mail was composed as a stream');
      const openPromise = (folderPromise ??= openFolder());
      try {
        const writtenEndings = await openPromise;
        // This email is already in the folder, perhaps with another date, so it is not written again.
        if (writtenEndings.has(fileEndingOf(email))) return;
        await writeMail(timestampForFileName(email.date) + fileEndingOf(email), message);
        writtenEndings.add(fileEndingOf(email));
      } catch (error) {
        // The folder may have been deleted. The next email creates it and lists it again.
        if (folderPromise === openPromise) folderPromise = undefined;
        throw error;
      }
    },

    async check() {
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      const probePath = join(outbox, `.${randomUUID()}.part`);
      try {
        await writeAndSync(probePath, Buffer.from('probe'));
      } finally {
        await rm(probePath, { force: true });
      }
    },
  };
}

/** Loads nodemailer when the first email is sent. */
async function openComposer() {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true });
}

/** Formats a date for file names: it sorts by time and is valid on every system. Example: 2026-11-20T19-39-00.123Z. */
function timestampForFileName(date: Date): string {
  return date.toISOString().replaceAll(':', '-');
}
const timestampLength = timestampForFileName(new Date(0)).length;

function fileEndingOf(email: Email): string {
  return `-${createSafeMailId(email)}.eml`;
}
