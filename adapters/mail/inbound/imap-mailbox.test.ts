import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ArrivedMail, MailOutcome } from '#shop/ports/inbound-mail.ts';
import { startFakeImap } from '#test/fake-imap-server.ts';
import { makeMail } from '#test/inbound-mail.ts';
import { createImapMailbox } from './imap-mailbox.ts';

async function createMailboxWith(...mails: Buffer[]) {
  const server = await startFakeImap();
  mails.forEach(server.add);
  const workFolder = mkdtempSync(join(tmpdir(), 'imap-'));
  onTestFinished(() => rmSync(workFolder, { recursive: true }));
  const errors: unknown[] = [];
  const mailbox = createImapMailbox(server.url);
  const readMailbox = (take: (mail: ArrivedMail) => Promise<MailOutcome>) =>
    mailbox.readUnread(
      { workFolder, signal: new AbortController().signal, onError: (error) => void errors.push(error) },
      take,
    );
  return { server, mailbox, read: readMailbox, errors };
}

test('reads unread emails byte for byte, oldest first, and marks each one afterwards', async () => {
  const mails = [makeMail({ subject: 'first' }), makeMail({ subject: 'second', content: `\n${'x'.repeat(300_000)}` })];
  const { server, read } = await createMailboxWith(...mails);
  const takenMails: ArrivedMail[] = [];
  await read(async (mail) => {
    expect(server.mails[takenMails.length]!.flags).toEqual(new Set());
    expect(readFileSync(mail.path).equals(mails[takenMails.length]!)).toBe(true);
    takenMails.push(mail);
    return 'new-ticket';
  });
  expect(takenMails.map((it) => it.isWhole)).toEqual([true, true]);
  expect(takenMails.every((it) => !existsSync(it.folder))).toBe(true);
  expect(server.mails.map((it) => [...it.flags])).toEqual([['\\Seen'], ['\\Seen']]);
  await read(() => Promise.reject(new Error('nothing is unread')));
  expect(takenMails).toHaveLength(2);
});

test('an email that cannot be stored stays unread, and the next email is still read', async () => {
  const { server, read, errors } = await createMailboxWith(makeMail(), makeMail());
  let callCount = 0;
  await read(async () => {
    if ((callCount += 1) === 1) throw new Error('the database is away');
    return 'joined';
  });
  expect(errors).toEqual([new Error('the database is away')]);
  expect(server.mails.map((it) => [...it.flags])).toEqual([[], ['\\Seen']]);
});

test('an email from a sender over the limit is marked as read and flagged', async () => {
  const { server, read } = await createMailboxWith(makeMail());
  await read(async () => 'deferred');
  expect([...server.mails[0]!.flags]).toEqual(['\\Seen', '\\Flagged']);
});

test('downloads only the header of an email of 50 MB', async () => {
  const hugeMail = Buffer.concat([makeMail({ subject: 'huge' }), Buffer.alloc(50 * 1024 * 1024, 'x')]);
  const { server, read } = await createMailboxWith(hugeMail);
  await read(async ({ path, isWhole }) => {
    expect([isWhole, readFileSync(path, 'latin1')]).toEqual([false, expect.stringContaining('Subject: huge')]);
    expect(readFileSync(path).length).toBeLessThan(1000);
    return 'new-ticket';
  });
  expect(server.commands.filter((it) => /FETCH.*BODY\.PEEK\[\]/.test(it))).toEqual([]);
});

test('after a lost connection, the same email is read again, unchanged', async () => {
  const { server, read } = await createMailboxWith(makeMail());
  server.breakAt('UID STORE');
  const takenMails: number[] = [];
  const readMails = async () => {
    takenMails.push(1);
    return 'new-ticket' as const;
  };
  await expect(read(readMails)).rejects.toThrow('the mailbox cannot be read');
  server.breakAt(undefined);
  await read(readMails);
  expect([takenMails.length, [...server.mails[0]!.flags]]).toEqual([2, ['\\Seen']]);
});

test('checks the password and the folder, without addresses in the error', async () => {
  const { server, mailbox } = await createMailboxWith(makeMail(), makeMail());
  expect(await mailbox.check()).toBe(2);
  await expect(createImapMailbox(server.url.replace('letters', 'wrong')).check()).rejects.toThrow(
    /^the mailbox cannot be read: (?!.*@)/,
  );
  await expect(createImapMailbox(server.url.replace('INBOX', 'Elsewhere')).check()).rejects.toThrow('cannot be read');
});
