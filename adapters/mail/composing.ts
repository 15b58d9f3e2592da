/** Turns an email into a MIME message. All mailers use the same headers and MIME parts. */
import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import parseAddresses from 'nodemailer/lib/addressparser';
import { encode, wrap } from 'nodemailer/lib/qp';
import { contentIdOf, type Email, type EmailPicture } from '#shop/ports/mailer.ts';

/** Throws if a header field contains a line break, because the text after the line break could forge another header. */
export function createMailMessage(email: Email): SendMailOptions {
  for (const field of ['id', 'to', 'from', 'replyTo', 'subject', 'unsubscribeUrl'] as const)
    if (hasControlCharacter(email[field] ?? '')) throw new Error(`an email's ${field} holds a line break`);
  const sender = parseOneAddress(email.from, 'from');
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  return {
    from: sender,
    to: parseOneAddress(email.to, 'to'),
    ...(email.replyTo && { replyTo: parseOneAddress(email.replyTo, 'replyTo') }),
    subject: email.subject,
    text: { raw: encodeTextPart('text/plain', email.text) },
    html: { raw: encodeTextPart('text/html', email.html) },
    attachments: [
      ...(email.pictures ?? []).map((it) => ({ cid: contentIdOf(it), raw: encodePicturePart(it) })),
      ...(email.files ?? []).map(({ name, contentType, bytes }) => ({
        filename: name,
        contentType,
        contentDisposition: 'attachment' as const,
        content: Buffer.from(bytes),
      })),
    ],
    date: email.date,
    messageId: `<${createSafeMailId(email)}@${domain}>`,
    headers: {
      // Prevents automatic replies, so that two programs never answer each other in a loop.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(email.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${email.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    textEncoding: 'quoted-printable',
    // The boundary depends only on the email's id, so a second attempt sends the same bytes. A customer cannot know
    // the id in advance, so text that a customer wrote cannot contain the boundary.
    baseBoundary: createHash('sha256').update(email.id).digest('hex').slice(0, 32),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/**
 * Makes the MIME part of a text, with its headers. Short ASCII lines are not encoded, because every mail server accepts
 * them. All other text is encoded as quoted-printable.
 */
function encodeTextPart(contentType: 'text/plain' | 'text/html', text: string): Buffer {
  const lines = text.replaceAll(/\r?\n/g, '\r\n'); // mail lines end with CRLF
  const needsNoEncoding = /^[\t\r\n -~]*$/.test(lines) && lines.split('\r\n').every((it) => it.length < 999);
  const headers = [
    `Content-Type: ${contentType}; charset=utf-8`,
    `Content-Transfer-Encoding: ${needsNoEncoding ? '7bit' : 'quoted-printable'}`,
  ];
  return Buffer.from([...headers, '', needsNoEncoding ? lines : wrap(encode(lines))].join('\r\n'), 'latin1');
}

/**
 * Makes the MIME part of a picture, with its headers. The result is cached, so that the shop's own pictures are encoded
 * only once.
 */
function encodePicturePart(picture: EmailPicture): Buffer {
  const existingPart = partByPicture.get(picture);
  if (existingPart) return existingPart;
  const headers = [
    `Content-Type: ${picture.contentType}; name=${picture.name}`,
    `Content-Id: <${contentIdOf(picture)}>`,
    'Content-Transfer-Encoding: base64',
    `Content-Disposition: inline; filename=${picture.name}`,
  ];
  const lines =
    Buffer.from(picture.bytes)
      .toString('base64')
      .match(/.{1,76}/g) ?? [];
  const part = Buffer.from([...headers, '', ...lines].join('\r\n'));
  partByPicture.set(picture, part);
  return part;
}
const partByPicture = new WeakMap<EmailPicture, Buffer>();

/**
 * Converts the email's id to characters that are valid in file names and Message-IDs. Different ids have different
 * results.
 */
export function createSafeMailId({ id }: Email): string {
  if (/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,99}$/.test(id) && !id.includes('..') && !id.endsWith('.')) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 24);
  return [...(id.match(/[a-zA-Z0-9]+/g) ?? []), digest].join('-').slice(-80);
}

function parseOneAddress(value: string, field: string): { name: string; address: string } {
  const [mailbox, ...others] = parseAddresses(value, { flatten: true });
  if (!mailbox || others.length > 0 || !/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(mailbox.address))
    throw new Error(`an email's ${field} is not one mail address`);
  return { name: mailbox.name, address: mailbox.address };
}

function hasControlCharacter(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the pattern must find control characters
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(text);
}
