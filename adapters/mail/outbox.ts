/** Mails as .eml files in a folder, one file a mail: the embedded default, nothing leaves the machine. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Letter, Mailer } from '#shop/ports/mailer.ts';
import { syncFolder, writeAndSync } from '../storage/durable-file.ts';
import { mailOf, plainId } from './composing.ts';

export function createOutboxMailer(folder: string): Mailer {
  const outbox = resolve(folder);
  let composer: ReturnType<typeof openComposer> | undefined;
  let opened: Promise<Set<string>> | undefined;

  /**
   * The endings of all mails there are: listed once, kept since. What another process writes meanwhile is not among them,
   * and needs not be: a mail has one date, so from there it would come again under the same name.
   */
  async function open(): Promise<Set<string>> {
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    return new Set((await readdir(outbox)).map((name) => name.slice(timestampLength)));
  }

  async function write(name: string, mail: Buffer): Promise<void> {
    const unfinished = join(outbox, `.${randomUUID()}.part`);
    try {
      await writeAndSync(unfinished, mail);
      await rename(unfinished, join(outbox, name));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await syncOutbox();
  }

  let syncing = Promise.resolve();
  let next: Promise<void> | undefined;
  /** A mail's name is safe once its folder is on disk: those that come while it is being written wait for one more time, together. */
  function syncOutbox(): Promise<void> {
    return (next ??= syncing
      .catch(() => {})
      .then(() => {
        next = undefined;
        return (syncing = syncFolder(outbox));
      }));
  }

  return {
    kind: 'outbox',

    async send(letter) {
      const { message } = await (await (composer ??= openComposer())).sendMail(mailOf(letter));
      if (!Buffer.isBuffer(message)) throw new Error('the mail was composed as a stream');
      const opening = (opened ??= open());
      try {
        const written = await opening;
        // A letter that is sent again, even with another date, is the one that lies here already.
        if (written.has(ending(letter))) return;
        await write(timestamp(letter.date) + ending(letter), message);
        written.add(ending(letter));
      } catch (error) {
        // The folder may be gone: it is made and listed anew by the next letter.
        if (opened === opening) opened = undefined;
        throw error;
      }
    },

    async check() {
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      const probe = join(outbox, `.${randomUUID()}.part`);
      try {
        await writeAndSync(probe, Buffer.from('probe'));
      } finally {
        await rm(probe, { force: true });
      }
    },
  };
}

/** Its library is loaded with the first mail. */
async function openComposer() {
  const { createTransport } = await import('nodemailer');
  return createTransport({ streamTransport: true, buffer: true });
}

/** Sorts by name as by time, and is a file name everywhere: 2026-11-20T19-39-00.123Z. */
function timestamp(date: Date): string {
  return date.toISOString().replaceAll(':', '-');
}
const timestampLength = timestamp(new Date(0)).length;

function ending(letter: Letter): string {
  return `-${plainId(letter)}.eml`;
}
