import { createHash, timingSafeEqual } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { limits } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { receiveMail } from '#shop/correspondence/inbound-mail.ts';
import { findTicketFileById } from '#shop/support/ticket-messages.ts';
import type { HttpScope } from './common/http-scope.ts';
import { createFaultCounter } from './common/rate-limit.ts';
import { sendStoredFile } from './common/send-file.ts';

/** Emails that one process reads at the same time. More calls are answered with 503, and the mail service retries. */
const mostAtOnce = 2;
/** Postmark sends the raw email and the parsed one in the same JSON. */
const mostJsonBytes = 3 * limits.inboundMailBytes;

/**
 * The webhook where mail services deliver customers' emails, with the raw MIME message in one of three formats: the
 * message itself (`message/rfc822`), SendGrid's Inbound Parse (`multipart/form-data`, field `email`), and Postmark
 * (JSON, field `RawEmail`). The services send the password with HTTP Basic authentication, which is checked before
 * anything of the body is read.
 */
export function registerInboundMailRoutes({ app, shop }: HttpScope): void {
  const { inboundMail } = shop.config;
  const countForged = createFaultCounter(app, 'forged-webhook');
  let open = 0;
  void app.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    // The handler reads the bodies itself, into a file and within the limits.
    for (const type of ['application/json', 'message/rfc822'])
      scope.addContentTypeParser(type, (_request, _payload, done) => done(null));
    scope.route({
      method: 'POST',
      url: '/api/webhooks/mail',
      schema: { hide: true },
      config: { rateLimit: false as const, isForPrograms: true },
      async onRequest(request, reply) {
        if (inboundMail?.webhookSecret === undefined) throw new Refusal('not-found');
        if (isAuthorized(request.headers.authorization, inboundMail.webhookSecret)) return;
        await countForged(request, reply);
        throw new Refusal('invalid-request');
      },
      async handler(request) {
        if (open >= mostAtOnce) throw new Refusal('unavailable');
        open += 1;
        let folder: string | undefined;
        try {
          folder = await mkdtemp(join(shop.workFolder, 'mail-'));
          const path = join(folder, 'mail.eml');
          const recipients = await saveMail(request, path);
          const mail = { path, folder, isWhole: true };
          const outcome = await receiveMail({ ...shop, inboundAddress: inboundMail!.address }, mail, recipients);
          request.log.info({ outcome }, 'email read');
          // The service offers the email again later.
          if (outcome === 'deferred') throw new Refusal('unavailable');
          if (outcome === 'joined' || outcome === 'new-ticket') shop.live.publish('tickets');
          return { outcome };
        } finally {
          open -= 1;
          if (folder !== undefined) await rm(folder, { recursive: true, force: true });
        }
      },
    });
  });

  /** An attachment of a customer's email, for the owner. */
  app.get<{ Params: { fileName: string } }>(
    '/ticket-files/:fileName',
    { schema: { hide: true } },
    async (request, reply) => {
      const id = request.params.fileName;
      const file = (await app.guards.isAdmin(request, reply, 'support'))
        ? await findTicketFileById(shop.db, id)
        : undefined;
      if (!file) throw new Refusal('not-found');
      const isPdf = file.contentType === 'application/pdf';
      return sendStoredFile(shop.storage, request, reply, {
        key: file.key,
        contentType: file.contentType,
        ...(isPdf && { downloadName: file.name.replace(/(\.pdf)?$/i, '.pdf') }),
      });
    },
  );
}

/** Compares the password of `Authorization: Basic`. Any user name is accepted. */
function isAuthorized(header: string | undefined, secret: string): boolean {
  const [, encoded = ''] = /^basic ([\w+/=-]{1,1000})$/i.exec(header ?? '') ?? [];
  const credentials = Buffer.from(encoded, 'base64').toString();
  const sha256Of = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(sha256Of(credentials.slice(credentials.indexOf(':') + 1)), sha256Of(secret));
}

/** Writes the raw email to a file. Returns the addresses to which the service received it, if it says so. */
async function saveMail(request: FastifyRequest, path: string): Promise<string[]> {
  const length = Number(request.headers['content-length'] ?? 0);
  const type = request.headers['content-type'] ?? '';
  if (request.isMultipart()) return saveSendGridMail(request, path);
  if (/^application\/json\b/i.test(type)) {
    if (length > mostJsonBytes) throw new Refusal('body-too-large');
    return savePostmarkMail(request, path);
  }
  if (length > limits.inboundMailBytes) throw new Refusal('body-too-large');
  await pipeline(request.raw, limitBodySize(limits.inboundMailBytes), createWriteStream(path));
  return [];
}

const PostmarkMail = z.object({ RawEmail: z.string().min(1), OriginalRecipient: z.string().max(500).optional() });

async function savePostmarkMail(request: FastifyRequest, path: string): Promise<string[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of limitBodySize(mostJsonBytes)(request.raw)) chunks.push(chunk);
  let mail;
  try {
    mail = PostmarkMail.parse(JSON.parse(Buffer.concat(chunks).toString()));
  } catch {
    throw new Refusal('invalid-request');
  }
  const rawMail = Buffer.from(mail.RawEmail);
  if (rawMail.length > limits.inboundMailBytes) throw new Refusal('body-too-large');
  await writeFile(path, rawMail);
  return mail.OriginalRecipient ? [mail.OriginalRecipient] : [];
}

const Envelope = z.object({ to: z.array(z.string().max(500)).max(100) });

async function saveSendGridMail(request: FastifyRequest, path: string): Promise<string[]> {
  let envelope = '';
  let isSaved = false;
  const parts = request.parts({
    limits: { fileSize: limits.inboundMailBytes, files: 1, fields: 50, fieldSize: 20_000, parts: 60 },
    // The raw email is a field without a file name. As a file, it is neither decoded nor kept in memory.
    isPartAFile: (field) => field === 'email',
  });
  for await (const part of parts) {
    if (part.type === 'file') {
      await pipeline(part.file, createWriteStream(path));
      if (part.file.truncated) throw new Refusal('body-too-large');
      isSaved = true;
    } else if (part.fieldname === 'envelope' && typeof part.value === 'string') envelope = part.value;
  }
  if (!isSaved) throw new Refusal('invalid-request');
  try {
    return Envelope.parse(JSON.parse(envelope)).to;
  } catch {
    return []; // the header of the email has the recipients, too
  }
}

/** Passes chunks on, and refuses the body as soon as it is larger than `mostBytes`. */
const limitBodySize = (mostBytes: number) =>
  async function* (chunks: Readable | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let bytes = 0;
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > mostBytes) throw new Refusal('body-too-large');
      yield chunk;
    }
  };
