import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contentIdOf, type Email, type EmailPicture, type Mailer } from '#shop/ports/mailer.ts';
import { createOutboxMailer } from './outbox.ts';
import { createSmtpMailer } from './smtp.ts';

const email: Email = {
  id: '0199c2f4-7d1a-7b5e-9c3d-0a1b2c3d4e5f',
  to: '"Zoë Müller-Østergård" <zoe@example.com>',
  from: 'Kinframe <hello@kinframe.example>',
  replyTo: 'support@kinframe.example',
  subject: 'Your videos are ready — grüße aus dem Ländle, 写真が動き出しました',
  html: `<p>Dear Zoë,</p><p>${'a very long line with many words in it '.repeat(100)}</p><a href="https://kinframe.example/delivery/a_b-c?x=1&amp;y=2">Watch</a>`,
  text: `Dear Zoë,\n\n${'a very long line with many words in it '.repeat(100)}\n.\nFrom here on\nhttps://kinframe.example/delivery/a_b-c?x=1&y=2\n`,
  date: new Date('2026-11-20T19:39:00.123Z'),
};

const compareNames = (a: string, b: string) => (a < b ? -1 : 1);

interface Mailbox {
  mailer: Mailer;
  /** The received emails as raw bytes, oldest first. */
  mails: () => Promise<Buffer[]>;
}

async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kinframe-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function openOutbox(): Promise<Mailbox & { folder: string }> {
  const folder = join(await createTemporaryFolder(), 'outbox');
  return {
    folder,
    mailer: createOutboxMailer(folder),
    mails: async () => Promise.all((await readdir(folder)).toSorted().map((name) => readFile(join(folder, name)))),
  };
}

/** A local mail server that accepts everything by default. */
async function startMailServer(options: SMTPServerOptions = {}, onPort = 0) {
  const mails: Buffer[] = [];
  const envelopes: { from: string; to: string[] }[] = [];
  let connectionCount = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    closeTimeout: 100,
    onConnect(_session, done) {
      connectionCount += 1;
      done();
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope;
      envelopes.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) });
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks));
        done();
      });
    },
    ...options,
  });
  // Some tests disconnect a client during its session, which emits an error. Without a listener, it would be uncaught.
  server.on('error', () => {});
  server.listen(onPort, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { mails, envelopes, port, url: `smtp://127.0.0.1:${port}`, connectionCount: () => connectionCount };
}

function createTestSmtpMailer(url: string): Mailer {
  const mailer = createSmtpMailer(url);
  onTestFinished(() => mailer.close());
  return mailer;
}

/** Starts a TCP server that does not speak SMTP. */
async function startRudeServer(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openSmtpServer(): Promise<Mailbox> {
  const server = await startMailServer();
  return { mailer: createTestSmtpMailer(server.url), mails: async () => server.mails };
}

describe.each([
  { kind: 'outbox', open: openOutbox },
  { kind: 'smtp', open: openSmtpServer },
] as { kind: Mailer['kind']; open: () => Promise<Mailbox> }[])('any mailer: $kind', ({ kind, open }) => {
  test('returns its kind, and its check succeeds', async () => {
    const { mailer } = await open();
    expect(mailer.kind).toBe(kind);
    await mailer.check();
  });

  test('delivers an email with its headers, HTML body and text body', async () => {
    const { mailer, mails } = await open();
    await mailer.send(email);
    const [mail] = await mails();
    const parsedMail = await PostalMime.parse(mail ?? '');
    expect(parsedMail).toMatchObject({
      subject: email.subject,
      from: { name: 'Kinframe', address: 'hello@kinframe.example' },
      to: [{ name: 'Zoë Müller-Østergård', address: 'zoe@example.com' }],
      replyTo: [{ address: 'support@kinframe.example' }],
      messageId: '<0199c2f4-7d1a-7b5e-9c3d-0a1b2c3d4e5f@kinframe.example>',
      date: '2026-11-20T19:39:00.000Z',
    });
    expect(parsedMail.text?.trim()).toBe(email.text.trim());
    expect(parsedMail.html?.trim()).toBe(email.html);
    const findHeader = (key: string) => parsedMail.headers.find((header) => header.key === key)?.value;
    expect(findHeader('mime-version')).toBe('1.0');
    expect(findHeader('content-type')).toMatch(/^multipart\/alternative;/);
    expect(findHeader('auto-submitted')).toBe('auto-generated');
    expect(parsedMail.headers.map(({ key }) => key)).not.toContain('x-mailer');
    expect(parsedMail.attachments).toEqual([]);
  });

  test('embeds the pictures of the HTML byte for byte', async () => {
    const { mailer, mails } = await open();
    const bytes = Uint8Array.from({ length: 30_000 }, (_, at) => (at * 7) % 256);
    const picture: EmailPicture = { name: 'frame.jpg', contentType: 'image/jpeg', bytes, alt: 'A frame' };
    const html = `<p><img src="cid:${contentIdOf(picture)}" alt="A frame"></p>`;
    await mailer.send({ ...email, html, pictures: [picture] });
    const [mail] = await mails();
    const { attachments } = await PostalMime.parse(mail ?? '');
    expect(attachments).toMatchObject([
      {
        filename: 'frame.jpg',
        mimeType: 'image/jpeg',
        disposition: 'inline',
        related: true,
        contentId: '<frame.jpg@letter>',
      },
    ]);
    expect(Buffer.from(attachments[0]!.content as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true);
    // The plain-text alternative has no pictures.
    expect(mail?.toString('latin1')).toMatch(/^Content-Type: multipart\/alternative;/m);
    expect(mail!.length).toBeLessThan(bytes.length * 1.4 + 8000);
  });

  test('encodes an email as ASCII lines of at most 78 characters with CRLF', async () => {
    const { mailer, mails } = await open();
    await mailer.send(email);
    const mail = (await mails())[0]?.toString('latin1') ?? '';
    expect(mail).toMatch(/^[\r\n\t\u0020-\u007e]*$/);
    const lines = mail.split('\r\n');
    expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(78);
    // The text comes first: mail programs show the last alternative that they support.
    expect(mail.indexOf('text/plain')).toBeLessThan(mail.indexOf('text/html'));
  });

  test.each([
    { length: 998, encoding: '7bit' },
    { length: 999, encoding: 'quoted-printable' },
  ])('sends a text with a line of $length characters as $encoding', async ({ length, encoding }) => {
    const { mailer, mails } = await open();
    const html = `<p>Hello\n${'='.repeat(length)}\n.\nFrom here =3D there</p>`;
    await mailer.send({ ...email, html });
    const mail = (await mails())[0]?.toString('latin1') ?? '';
    expect(mail).toContain(
      `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n<p>Hello\r\n`,
    );
    expect(Math.max(...mail.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect((await PostalMime.parse(mail)).html?.trim()).toBe(html);
  });

  test('composes identical bytes when the same email is sent again', async () => {
    const [first, second] = [await open(), await open()];
    await first.mailer.send(email);
    await second.mailer.send(email);
    // The test server adds no headers, so the bytes can be compared.
    expect((await first.mails())[0]?.equals((await second.mails())[0] ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    ['subject', { subject: 'Hello\r\nBcc: everyone@example.com' }],
    ['subject', { subject: 'Hello\nBcc: everyone@example.com' }],
    ['to', { to: 'zoe@example.com\r\nBcc: everyone@example.com' }],
    ['to', { to: 'zoe@example.com, everyone@example.com' }],
    ['to', { to: 'all: zoe@example.com, everyone@example.com;' }],
    ['to', { to: '"Zoë\r\nBcc: everyone@example.com" <zoe@example.com>' }],
    ['to', { to: '' }],
    ['to', { to: 'zoe' }],
    ['from', { from: 'Kinframe\r <hello@kinframe.example>' }],
    ['replyTo', { replyTo: 'support@kinframe.example\nX-Evil: 1' }],
    ['id', { id: 'x>\r\nBcc: everyone@example.com' }],
  ])('refuses a forged header in the field %s: %j', async (field, forged) => {
    const { mailer, mails } = await open();
    await expect(mailer.send({ ...email, ...forged })).rejects.toThrow(`an email's ${field}`);
    expect(await mails().catch(() => [])).toEqual([]);
  });

  test('keeps text that looks like a header or the end of a mail inside the body', async () => {
    const { mailer, mails } = await open();
    const text = 'Hello\r\n\r\nBcc: everyone@example.com\r\n.\r\nQUIT\r\n--part';
    await mailer.send({ ...email, text, subject: 'Re: =?utf-8?Q?x?= "quoted" <b>' });
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    const parsedMail = await PostalMime.parse(mail ?? '');
    expect(parsedMail.bcc).toBeUndefined();
    expect(parsedMail.subject).toBe('Re: =?utf-8?Q?x?= "quoted" <b>');
    expect(parsedMail.text?.trim().split(/\r?\n/)).toEqual(text.split('\r\n'));
  });

  test('accepts any email id and makes a different Message-ID for each', async () => {
    const { mailer, mails } = await open();
    const ids = [
      'receipt:ord_1',
      'receipt ord_1',
      '../../etc/passwd',
      'ü',
      'x'.repeat(300),
      `${'x'.repeat(299)}y`,
      '..',
      'a',
    ];
    for (const [i, id] of ids.entries()) await mailer.send({ ...email, id, date: new Date(i * 1000) });
    const parsedMails = await Promise.all((await mails()).map((mail) => PostalMime.parse(mail)));
    const messageIds = parsedMails.map(({ messageId }) => messageId ?? '');
    expect(new Set(messageIds).size).toBe(ids.length);
    for (const messageId of messageIds) expect(messageId).toMatch(/^<[a-zA-Z0-9._-]{1,100}@kinframe\.example>$/);
  });

  test('delivers every email when 20 emails are sent at the same time', async () => {
    const { mailer, mails } = await open();
    const ids = Array.from({ length: 20 }, (_, i) => `email-${i}`);
    await Promise.all(ids.map((id) => mailer.send({ ...email, id })));
    const parsedMails = await Promise.all((await mails()).map((mail) => PostalMime.parse(mail)));
    expect(parsedMails.map(({ messageId }) => messageId ?? '').toSorted(compareNames)).toEqual(
      ids.map((id) => `<${id}@kinframe.example>`).toSorted(compareNames),
    );
  });
});

describe('the outbox', () => {
  test('writes one file per email, with names that sort by date', async () => {
    const { folder, mailer } = await openOutbox();
    const days = ['2026-11-20T09:05:00.000Z', '2025-12-31T23:59:59.999Z', '2026-11-20T10:04:00.000Z'];
    for (const [i, day] of days.entries()) await mailer.send({ ...email, id: `l${i}`, date: new Date(day) });
    expect((await readdir(folder)).toSorted()).toEqual([
      '2025-12-31T23-59-59.999Z-l1.eml',
      '2026-11-20T09-05-00.000Z-l0.eml',
      '2026-11-20T10-04-00.000Z-l2.eml',
    ]);
    expect((await stat(join(folder, '2026-11-20T09-05-00.000Z-l0.eml'))).mode & 0o777).toBe(0o600);
  });

  test('writes no second file when an email is sent again, even with another date', async () => {
    const { folder, mailer } = await openOutbox();
    await mailer.send(email);
    await mailer.send(email);
    await mailer.send({ ...email, date: new Date('2026-11-21T00:00:00Z') });
    await createOutboxMailer(folder).send(email);
    expect(await readdir(folder)).toEqual([`2026-11-20T19-39-00.123Z-${email.id}.eml`]);
    // An id that only ends with the first email's id belongs to another email.
    await mailer.send({ ...email, id: `b-${email.id}` });
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('creates a deleted folder again when the email is sent a second time', async () => {
    const { folder, mailer } = await openOutbox();
    await mailer.send(email);
    await rm(folder, { recursive: true });
    await mailer.send({ ...email, id: 'second' }).catch(() => mailer.send({ ...email, id: 'second' }));
    expect(await readdir(folder)).toEqual(['2026-11-20T19-39-00.123Z-second.eml']);
    await mailer.send(email);
    expect(await readdir(folder)).toHaveLength(2);
  });

  test('check and send fail while a file has the folder’s name, and work after the file is removed', async () => {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, 'outbox'), 'a file where the folder should be');
    const mailer = createOutboxMailer(join(folder, 'outbox'));
    await expect(mailer.check()).rejects.toThrow(/EEXIST|ENOTDIR/);
    await expect(mailer.send(email)).rejects.toThrow(/EEXIST|ENOTDIR/);
    await chmod(join(folder, 'outbox'), 0o600);
    await rm(join(folder, 'outbox'));
    await mailer.send(email);
    expect(await readdir(join(folder, 'outbox'))).toHaveLength(1);
  });
});

describe('mail by SMTP', () => {
  test('the SMTP envelope has the sender and the recipient of the email', async () => {
    const server = await startMailServer();
    await createTestSmtpMailer(server.url).send(email);
    expect(server.envelopes).toEqual([{ from: 'hello@kinframe.example', to: ['zoe@example.com'] }]);
  });

  test('sends several emails over one connection', async () => {
    const server = await startMailServer();
    const mailer = createTestSmtpMailer(server.url);
    for (let i = 0; i < 5; i += 1) await mailer.send({ ...email, id: `email-${i}` });
    expect(server.mails).toHaveLength(5);
    expect(server.connectionCount()).toBe(1);
  });

  test('fails while the server is down, and sends the email after the server is back', async () => {
    const server: Server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const mailer = createTestSmtpMailer(`smtp://127.0.0.1:${port}`);
    await expect(mailer.check()).rejects.toThrow(/the mail server did not take it.*ECONNREFUSED/);
    await expect(mailer.send(email)).rejects.toThrow(/the mail server did not take it.*ECONNREFUSED/);

    const restartedServer = await startMailServer({}, port);
    await mailer.send(email);
    await mailer.check();
    expect(restartedServer.mails).toHaveLength(1);
  });

  test('fails when the server disconnects or sends no greeting', async () => {
    const mailerWithDisconnect = createTestSmtpMailer(await startRudeServer((socket) => socket.destroy()));
    await expect(mailerWithDisconnect.send(email)).rejects.toThrow('the mail server did not take it');
    const silentMailer = createTestSmtpMailer(
      `${await startRudeServer((socket) => void socket.on('error', () => {}).unref())}?connectionTimeout=200&greetingTimeout=200`,
    );
    await expect(silentMailer.send(email)).rejects.toThrow('Greeting never received');
    await expect(silentMailer.check()).rejects.toThrow('Greeting never received');
  });

  test('when the server refuses the recipient, the error contains no email address', async () => {
    const server = await startMailServer({
      onRcptTo: ({ address }, _session, done) => done(new Error(`no such mailbox <${address}>`)),
    });
    const error: unknown = await createTestSmtpMailer(server.url)
      .send(email)
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).message).toContain('no such mailbox');
    expect(JSON.stringify(error) + (error as Error).stack).not.toContain('zoe@example.com');
    expect((error as Error).cause).toBeUndefined();
  });

  test('signs in when the URL has a password, and fails its check with a wrong one', async () => {
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        username === 'shop' && password === 'p@ss word'
          ? done(null, { user: 'shop' })
          : done(new Error('wrong password')),
    });
    const rightMailer = createTestSmtpMailer(`smtp://shop:p%40ss%20word@127.0.0.1:${server.port}`);
    await rightMailer.check();
    await rightMailer.send(email);
    expect(server.mails).toHaveLength(1);
    const wrongMailer = createTestSmtpMailer(`smtp://shop:guess@127.0.0.1:${server.port}`);
    await expect(wrongMailer.check()).rejects.toThrow('the mail server did not take it');
    await expect(wrongMailer.send(email)).rejects.toThrow('the mail server did not take it');
  });

  test('uses TLS when the URL or the server requires it, and refuses an untrusted certificate', async () => {
    const startTlsServer = await startMailServer({ disabledCommands: [] });
    await createTestSmtpMailer(`${startTlsServer.url}?requireTLS=true&tls.rejectUnauthorized=false`).send(email);
    expect(startTlsServer.mails).toHaveLength(1);
    await expect(createTestSmtpMailer(`${startTlsServer.url}?requireTLS=true`).send(email)).rejects.toThrow(
      /certificate/,
    );
    const encrypted = await startMailServer({ secure: true });
    const url = `smtps://127.0.0.1:${encrypted.port}`;
    await createTestSmtpMailer(`${url}?tls.rejectUnauthorized=false`).send(email);
    expect(encrypted.mails).toHaveLength(1);
    await expect(createTestSmtpMailer(url).check()).rejects.toThrow(/certificate/);
  });

  test('never sends a password unencrypted to another machine', async () => {
    const passwords: unknown[] = [];
    const server = await startMailServer({
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => done(null, { user: passwords.push(password) }),
    });
    // An address of this machine that does not count as loopback.
    const mailer = createTestSmtpMailer(`smtp://shop:secret@0.0.0.0:${server.port}`);
    await expect(mailer.send(email)).rejects.toThrow('the mail server did not take it');
    await expect(mailer.check()).rejects.toThrow('the mail server did not take it');
    expect(passwords).toEqual([]);
  });

  test.each(['', 'mail.example.com', 'http://mail.example.com', 'smtp://', 'smtp://user:secret@bad host'])(
    'refuses an invalid URL at once: %j',
    (url) => {
      expect(() => createSmtpMailer(url)).toThrow(/^the mail server address/);
    },
  );
});
