import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ImapFlow } from 'imapflow';
import { limits } from '#contract/limits.ts';
import type { Mailbox, MailOutcome } from '#shop/ports/inbound-mail.ts';

/** How many emails one reading takes at most. The next reading takes the rest. */
const mostMails = 50;
const timeoutMs = 60_000;

/**
 * The mailbox at this URL, `imaps://user:password@host/INBOX`. `imap://` connects unencrypted and upgrades to TLS,
 * which is required unless the host is this machine. Emails are never moved or deleted, only marked as read.
 */
export function createImapMailbox(imapUrl: string): Mailbox {
  const url = new URL(imapUrl);
  const folder = decodeURIComponent(url.pathname.slice(1)) || 'INBOX';

  async function withConnection<T>(use: (client: ImapFlow) => Promise<T>): Promise<T> {
    const { ImapFlow } = await import('imapflow');
    const isSecure = url.protocol === 'imaps:';
    const isOnThisMachine = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
    const client = new ImapFlow({
      host: url.hostname.replaceAll(/^\[|\]$/g, ''),
      port: Number(url.port) || (isSecure ? 993 : 143),
      secure: isSecure,
      ...(!isSecure && !isOnThisMachine && { doSTARTTLS: true }),
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
      logger: false,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
    let failure: unknown;
    // Without a listener, a broken connection would end the process. The pending command rejects as well.
    client.on('error', (error: unknown) => (failure ??= error));
    try {
      await client.connect();
      return await use(client);
    } catch (error) {
      throw createMailboxError(failure ?? error);
    } finally {
      await client.logout().catch(() => {});
      client.close();
    }
  }

  /** Emails that could not be stored, until this process ends. */
  const failedUids = new Set<number>();

  return {
    readUnread: ({ workFolder, signal, onError }, take) =>
      withConnection(async (client) => {
        const lock = await client.getMailboxLock(folder);
        try {
          const unreadUids = (await client.search({ seen: false, deleted: false }, { uid: true })) || [];
          // Emails that failed come last, so that they do not block the others.
          const sortedUids = unreadUids.toSorted(
            (a, b) => Number(failedUids.has(a)) - Number(failedUids.has(b)) || a - b,
          );
          for (const uid of sortedUids.slice(0, mostMails)) {
            if (signal.aborted) return;
            const mailFolder = await mkdtemp(join(workFolder, 'mail-'));
            try {
              const arrivedMail = await downloadMail(client, uid, mailFolder);
              if (!arrivedMail) continue; // another program has deleted it
              const outcome = await take(arrivedMail).catch((error: unknown) => {
                onError(error);
                failedUids.add(uid);
                return undefined;
              });
              // The email is marked only now: after a crash, it is read again, and the database knows it already.
              if (outcome !== undefined) await markAsRead(client, uid, outcome);
            } finally {
              await rm(mailFolder, { recursive: true, force: true });
            }
          }
        } finally {
          lock.release();
        }
      }),

    check: () =>
      withConnection(async (client) => {
        const { exists } = await client.mailboxOpen(folder, { readOnly: true });
        return exists;
      }),
  };
}

/** An email that was deferred is also flagged: only a person reads it. */
async function markAsRead(client: ImapFlow, uid: number, outcome: MailOutcome): Promise<void> {
  const mailFlags = outcome === 'deferred' ? ['\\Seen', '\\Flagged'] : ['\\Seen'];
  if (!(await client.messageFlagsAdd(String(uid), mailFlags, { uid: true })))
    throw new Error('an email could not be marked as read');
}

/** Writes the email to a file. Of an email over the size limit, only the header is downloaded. */
async function downloadMail(client: ImapFlow, uid: number, folder: string) {
  const path = join(folder, 'mail.eml');
  const messageInfo = await client.fetchOne(String(uid), { uid: true, size: true }, { uid: true });
  if (!messageInfo) return undefined;
  if ((messageInfo.size ?? 0) > limits.inboundMailBytes) {
    const head = await client.fetchOne(String(uid), { uid: true, headers: true }, { uid: true });
    if (!head) return undefined;
    await writeFile(path, (head.headers ?? Buffer.alloc(0)).subarray(0, 512 * 1024));
    return { path, folder, isWhole: false };
  }
  const { content } = await client.download(String(uid), undefined, { uid: true, maxBytes: limits.inboundMailBytes });
  if (!content) return undefined;
  await pipeline(content, createWriteStream(path));
  return { path, folder, isWhole: true };
}

/** Makes an error from the server's message, without email addresses. Errors are logged. */
function createMailboxError(error: unknown): Error {
  const {
    code = 'error',
    message = '',
    responseText = '',
  } = error as {
    code?: string;
    message?: string;
    responseText?: string;
  };
  const text = (responseText || message).replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '[address]').slice(0, 300);
  return Object.assign(new Error(`the mailbox cannot be read: ${text}`), { code });
}
