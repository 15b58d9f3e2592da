import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { convert } from 'html-to-text';
import PostalMime, { type Address, type Email } from 'postal-mime';
import { limits } from '#contract/limits.ts';
import type { MailAttachment, ParsedMail } from '#shop/ports/inbound-mail.ts';
import { serveJobsOfParent } from '../../processes/child-side.ts';
import { detectMailOrigin, listHeaderRecipients, refusesAutomaticReplies } from './mail-headers.ts';
import type { ParseJob } from './parse-mail.ts';
import { splitQuote } from './split-quote.ts';

serveJobsOfParent(async ({ path, folder, isWhole }: ParseJob): Promise<ParsedMail> => {
  const mail = await PostalMime.parse(await readFile(path), { maxNestingDepth: 50, maxHeadersSize: 512 * 1024 });
  const sender = findSender(mail);
  const { words, quoted } = splitQuote(isWhole ? extractText(mail).slice(0, maxReadCharacters) : '');
  return {
    messageId: mail.messageId?.slice(0, 500),
    from: sender,
    recipients: listRecipients(mail),
    subject: toSingleLine(mail.subject, 200),
    words: shortenText(words),
    quoted: shortenText(quoted),
    origin: detectMailOrigin(mail.headers, sender?.address),
    refusesReplies: refusesAutomaticReplies(mail.headers),
    ...(await writeAttachments(isWhole ? mail : undefined, folder)),
    problem: isWhole ? null : 'too-large',
  };
});

/** The most characters of the text that are searched for a quote. Far fewer are stored. */
const maxReadCharacters = 10 * limits.inboundMailCharacters;

function findSender(mail: Email): ParsedMail['from'] {
  const address = mail.from?.address?.trim().toLowerCase() ?? '';
  if (address.length > 254 || !/^[^\s@<>,;:"\p{Cc}]+@[^\s@<>,;:"\p{Cc}]+$/u.test(address)) return undefined;
  return { name: toSingleLine(mail.from?.name, 200), address };
}

const mostRecipients = 50;
function listRecipients(mail: Email): string[] {
  const listedAddresses = [...(mail.to ?? []), ...(mail.cc ?? [])].flatMap((it: Address) => it.group ?? [it]);
  const addresses = listedAddresses.flatMap((it) => it.address?.toLowerCase() ?? []);
  return [...new Set([...listHeaderRecipients(mail.headers), ...addresses])].slice(0, mostRecipients);
}

/** The plain text. An HTML body is converted; it is never shown as HTML. */
function extractText({ text, html }: Email): string {
  const plainText = text?.trim() ? text : html ? textOfHtml(html) : '';
  return removeInvalidCharacters(plainText.replaceAll(/\r\n?/g, '\n')).replaceAll(/\n{4,}/g, '\n\n\n');
}

const textOfHtml = (html: string) =>
  convert(html, {
    wordwrap: false,
    limits: { maxInputLength: 2_000_000, maxDepth: 60, maxChildNodes: 5000 },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'img', format: 'skip' },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });

/** Removes characters that the database cannot store or that a page does not show. Tabs and line breaks stay. */
const removeInvalidCharacters = (text: string) => text.toWellFormed().replaceAll(invisibleCharacters, '');
const invisibleCharacters =
  // oxlint-disable-next-line no-control-regex -- the pattern must find control characters
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** A text as one line. A cut can split an emoji, and the database refuses half of one. */
const toSingleLine = (text: string | undefined, most: number) =>
  removeInvalidCharacters(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .slice(0, most)
    .toWellFormed()
    .trim();

const shortenText = (text: string) =>
  text.length <= limits.inboundMailCharacters
    ? text
    : `${text.slice(0, limits.inboundMailCharacters).toWellFormed()}\n\n[The email is longer. This is its beginning.]`;

async function writeAttachments(mail: Email | undefined, folder: string) {
  const attachments: MailAttachment[] = [];
  const omittedNames: string[] = [];
  for (const [index, { filename, content }] of (mail?.attachments ?? []).entries()) {
    const name =
      toSingleLine(filename?.replaceAll(/[/\\]/g, ' '), limits.inboundFileNameCharacters) || `attachment ${index + 1}`;
    const bytes = Buffer.from(content as ArrayBuffer);
    if (attachments.length >= limits.inboundMailFiles || bytes.length > limits.photoBytes) {
      if (omittedNames.length < 2 * limits.inboundMailFiles) omittedNames.push(name);
      continue;
    }
    const path = join(folder, `attachment-${index}`);
    await writeFile(path, bytes);
    attachments.push({ name, path, sizeBytes: bytes.length });
  }
  return { attachments, leftOut: omittedNames };
}
