/** Mails through a mail server, over a few connections kept for the next ones. */
import { isIPv4 } from 'node:net';
import type { Mailer } from '#shop/ports/mailer.ts';
import { mailOf } from './composing.ts';

/**
 * `smtp://user:password@host:587` upgrades to TLS, `smtps://…:465` begins with it. Query parameters are nodemailer's own
 * connection options and win over ours (`?requireTLS=false`, `?tls.servername=…`).
 */
export function createSmtpMailer(smtpUrl: string): Mailer & {
  /** Give the connections back; what is being sent is sent. */
  close(): void;
} {
  const { protocol, hostname, username } = readUrl(smtpUrl);
  /** Its library is loaded with the first mail. */
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 3,
      idleTimeout: 30_000,
      // The job queue tries again, with more patience and after a restart; once here is for a connection gone stale.
      maxRequeues: 1,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 60_000,
      // Without this a stranger on the line can talk both sides out of TLS and read the password.
      requireTLS: protocol === 'smtp:' && username !== '' && !isLoopback(hostname),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transport: ReturnType<typeof open> | undefined;

  return {
    kind: 'smtp',

    async send(letter) {
      const mail = mailOf(letter);
      try {
        await (await (transport ??= open())).sendMail(mail);
      } catch (error) {
        throw inOurWords(error);
      }
    },

    async check() {
      try {
        await (await (transport ??= open())).verify();
      } catch (error) {
        throw inOurWords(error);
      }
    },

    close() {
      void transport?.then((it) => it.close());
    },
  };
}

function readUrl(smtpUrl: string): URL {
  // A wrong address is not repeated in the message: it holds a password.
  if (!URL.canParse(smtpUrl)) throw new Error('the mail server address is not a URL');
  const url = new URL(smtpUrl);
  if (!['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname)
    throw new Error('the mail server address begins with smtp:// or smtps:// and names a host');
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

/** What the server said, without the addresses it likes to repeat: errors are logged, people are not. */
function inOurWords(error: unknown): Error {
  const { code = 'error', message } = error as { code?: string; message: string };
  const said = message.replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '[address]').slice(0, 300);
  return Object.assign(new Error(`the mail server did not take it: ${said}`), { code });
}
