/** Sends emails through an SMTP server, over a few pooled connections. */
import { isIPv4 } from 'node:net';
import type { Mailer } from '#shop/ports/mailer.ts';
import { createMailMessage } from './composing.ts';

/**
 * Creates a mailer for the SMTP server at this URL. `smtp://user:password@host:587` connects unencrypted and then
 * upgrades to TLS. `smtps://…:465` uses TLS from the start. Query parameters are nodemailer's connection options
 * (`?requireTLS=false`, `?tls.servername=…`); they override the options in this function.
 */
export function createSmtpMailer(smtpUrl: string): Mailer & {
  /** Closes the connections after the emails that are being sent. */
  close(): void;
} {
  const { protocol, hostname, username } = parseSmtpUrl(smtpUrl);
  /** Loads nodemailer when the mailer is first used. */
  const openTransport = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: 3,
      idleTimeout: 30_000,
      // One retry is enough here, for a stale connection. The job queue retries for longer, and also after a restart.
      maxRequeues: 1,
      dnsTimeout: 10_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 60_000,
      // Without this, an attacker on the network can make both sides skip TLS and then read the password.
      requireTLS: protocol === 'smtp:' && username !== '' && !isLoopback(hostname),
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  };
  let transportPromise: ReturnType<typeof openTransport> | undefined;

  return {
    kind: 'smtp',

    async send(email) {
      const mail = createMailMessage(email);
      try {
        await (await (transportPromise ??= openTransport())).sendMail(mail);
      } catch (error) {
        throw mailServerError(error);
      }
    },

    async check() {
      try {
        await (await (transportPromise ??= openTransport())).verify();
      } catch (error) {
        throw mailServerError(error);
      }
    },

    close() {
      void transportPromise?.then((it) => it.close());
    },
  };
}

function parseSmtpUrl(smtpUrl: string): URL {
  // The error message does not repeat an invalid URL, because the URL may contain a password.
  if (!URL.canParse(smtpUrl)) throw new Error('the mail server address is not a URL');
  const url = new URL(smtpUrl);
  if (!['smtp:', 'smtps:'].includes(url.protocol) || !url.hostname)
    throw new Error('the mail server address begins with smtp:// or smtps:// and names a host');
  return url;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
}

/**
 * Makes an error from the server's message, without email addresses. Errors are logged, and logs must not contain
 * customer data.
 */
function mailServerError(error: unknown): Error {
  const { code = 'error', message } = error as { code?: string; message: string };
  const serverReply = message.replaceAll(/[^\s<>"']+@[^\s<>"']+/g, '[address]').slice(0, 300);
  return Object.assign(new Error(`the mail server did not take it: ${serverReply}`), { code });
}
