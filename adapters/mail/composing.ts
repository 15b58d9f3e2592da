/** A letter as a mail: the same headers and parts, whichever way it goes. */
import { createHash } from 'node:crypto';
import type { SendMailOptions } from 'nodemailer';
import parseAddresses from 'nodemailer/lib/addressparser';
import { encode, wrap } from 'nodemailer/lib/qp';
import { contentIdOf, type Letter, type LetterPicture } from '#shop/ports/mailer.ts';

/** Throws where a header would be forged: a line break in one begins another. */
export function mailOf(letter: Letter): SendMailOptions {
  for (const field of ['id', 'to', 'from', 'replyTo', 'subject', 'unsubscribeUrl'] as const)
    if (hasControlCharacter(letter[field] ?? '')) throw new Error(`a letter's ${field} holds a line break`);
  const from = oneAddress(letter.from, 'from');
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  return {
    from,
    to: oneAddress(letter.to, 'to'),
    ...(letter.replyTo && { replyTo: oneAddress(letter.replyTo, 'replyTo') }),
    subject: letter.subject,
    text: { raw: textPart('text/plain', letter.text) },
    html: { raw: textPart('text/html', letter.html) },
    attachments: (letter.pictures ?? []).map((it) => ({ cid: contentIdOf(it), raw: partOf(it) })),
    date: letter.date,
    messageId: `<${plainId(letter)}@${domain}>`,
    headers: {
      // Out-of-office programs stay silent, and ours and theirs never write to each other in circles.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(letter.unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${letter.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    textEncoding: 'quoted-printable',
    // A second sending has the same one; nobody who writes to us can know beforehand what id their words will go out under.
    baseBoundary: createHash('sha256').update(letter.id).digest('hex').slice(0, 32),
    xMailer: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A text as its part of a mail, headers and all: as it stands where every mail server passes it on so, else encoded. */
function textPart(contentType: 'text/plain' | 'text/html', text: string): Buffer {
  const lines = text.replaceAll(/\r?\n/g, '\r\n'); // the ends that lines of a mail have
  const standsAsItIs = /^[\t\r\n -~]*$/.test(lines) && lines.split('\r\n').every((it) => it.length < 999);
  const headers = [
    `Content-Type: ${contentType}; charset=utf-8`,
    `Content-Transfer-Encoding: ${standsAsItIs ? '7bit' : 'quoted-printable'}`,
  ];
  return Buffer.from([...headers, '', standsAsItIs ? lines : wrap(encode(lines))].join('\r\n'), 'latin1');
}

/** A picture as its part of a mail, headers and all; one of the shop's own is written once for all mails. */
function partOf(picture: LetterPicture): Buffer {
  const known = parts.get(picture);
  if (known) return known;
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
  parts.set(picture, part);
  return part;
}
const parts = new WeakMap<LetterPicture, Buffer>();

/** The letter's id in letters that file names and Message-IDs both take; two ids never become one. */
export function plainId({ id }: Letter): string {
  if (/^[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,99}$/.test(id) && !id.includes('..') && !id.endsWith('.')) return id;
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 24);
  return [...(id.match(/[a-zA-Z0-9]+/g) ?? []), digest].join('-').slice(-80);
}

function oneAddress(value: string, field: string): { name: string; address: string } {
  const [mailbox, ...others] = parseAddresses(value, { flatten: true });
  if (!mailbox || others.length > 0 || !/^[^\s@<>,;:"]+@[^\s@<>,;:"]+$/.test(mailbox.address))
    throw new Error(`a letter's ${field} is not one mail address`);
  return { name: mailbox.name, address: mailbox.address };
}

function hasControlCharacter(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f\u2028\u2029]/.test(text);
}
