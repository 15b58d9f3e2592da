/** Mails as .eml files in a folder, one file a mail: the embedded default, nothing leaves the machine. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import type { Letter, Mailer } from '#shop/ports/mailer.ts';
import { renameAndSync, writeAndSync } from '../storage/durable-file.ts';
import { mailOf, plainId } from './composing.ts';

export function createOutboxMailer(folder: string): Mailer {
  const outbox = resolve(folder);
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });

  async function write(name: string, mail: Buffer): Promise<void> {
    const unfinished = join(outbox, `.${randomUUID()}.part`);
    try {
      await writeAndSync(unfinished, mail);
      await renameAndSync(unfinished, join(outbox, name), outbox);
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  return {
    kind: 'outbox',

    async send(letter) {
      const { message } = await composer.sendMail(mailOf(letter));
      if (!Buffer.isBuffer(message)) throw new Error('the mail was composed as a stream');
      await mkdir(outbox, { recursive: true, mode: 0o700 });
      // A letter that is sent again, even with another date, is the one that lies here already.
      const isSent = (await readdir(outbox)).some((name) => name.slice(timestampLength) === ending(letter));
      if (!isSent) await write(timestamp(letter.date) + ending(letter), message);
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

/** Sorts by name as by time, and is a file name everywhere: 2026-11-20T19-39-00.123Z. */
function timestamp(date: Date): string {
  return date.toISOString().replaceAll(':', '-');
}
const timestampLength = timestamp(new Date(0)).length;

function ending(letter: Letter): string {
  return `-${plainId(letter)}.eml`;
}
