/** Makes raw emails for tests. */
interface MailOptions {
  from?: string;
  to?: string;
  subject?: string;
  messageId?: string;
  headers?: string[];
  /** The body with its MIME headers; a plain text by default. */
  content?: string;
}

let mailCount = 0;

export function makeMail({
  from = 'Anna Keller <anna@example.com>',
  to = 'support@kinframe.example',
  subject = 'My frame',
  messageId = `<made-${(mailCount += 1)}@example.com>`,
  headers = [],
  content = 'Content-Type: text/plain; charset=utf-8\n\nIt does not wake up.',
}: MailOptions = {}): Buffer {
  const headerLines = [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Mon, 30 Nov 2026 09:12:00 +0000',
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
    'MIME-Version: 1.0',
    ...headers,
  ].join('\n');
  return Buffer.from(`${headerLines}\n${content}`.replaceAll(/\r?\n/g, '\r\n'), 'latin1');
}

/** A multipart body with a text and attachments. */
export const createMultipart = (text: string, files: { name: string; type: string; bytes: Buffer }[]) =>
  [
    'Content-Type: multipart/mixed; boundary="part"',
    '',
    '--part',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
    ...files.flatMap(({ name, type, bytes }) => [
      '--part',
      `Content-Type: ${type}; name="${name}"`,
      'Content-Transfer-Encoding: base64',
      `Content-Disposition: attachment; filename="${name}"`,
      '',
      (bytes.toString('base64').match(/.{1,76}/g) ?? []).join('\n'),
    ]),
    '--part--',
    '',
  ].join('\n');
