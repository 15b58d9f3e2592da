/** Reads the emails in the outbox, newest first, for the demo's outbox page. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { embedPicturesInHtml } from './embed-pictures.ts';

export interface OutboxMail {
  /** The file's name without its extension. */
  id: string;
  subject: string;
  from: string;
  to: string;
  date: Date;
  text: string;
  /** The HTML body, with the pictures embedded as data URLs. */
  html: string;
}
export interface OutboxReader {
  /** Returns one page of emails. The first page is 1. */
  list(page: number, pageSize: number): Promise<{ total: number; mails: OutboxMail[] }>;
  /** Returns undefined if no email has this id. */
  read(id: string): Promise<OutboxMail | undefined>;
}

export function openOutbox(folder: string): OutboxReader {
  /** The file names, newest email first. They begin with the date, so sorting them sorts by time. */
  const readFileNames = async () =>
    (await readdir(folder).catch(emptyIfMissing))
      .filter((name) => /^[\dTZ.-]+Z-[^/\\]+\.eml$/.test(name))
      .toSorted()
      .toReversed();
  const openMail = async (name: string): Promise<OutboxMail> => {
    const { default: PostalMime } = await import('postal-mime'); // imported here because only demos need it
    const {
      subject = '',
      from,
      to = [],
      date,
      text = '',
      html = '',
      attachments,
    } = await PostalMime.parse(await readFile(join(folder, name)));
    const pictures = attachments.map(({ contentId = '', mimeType, content }) => ({
      contentId: contentId.replace(/^<|>$/g, ''),
      contentType: mimeType,
      bytes: Buffer.from(content as ArrayBuffer),
    }));
    const addresses = to.flatMap((it) => it.address ?? []).join(', ');
    return {
      id: name.slice(0, -'.eml'.length),
      subject,
      from: [from?.name, from?.address && `<${from.address}>`].filter(Boolean).join(' '),
      to: addresses,
      date: new Date(date ?? 0),
      text,
      html: embedPicturesInHtml(html, pictures),
    };
  };
  return {
    async list(page, pageSize) {
      const allFileNames = await readFileNames();
      return {
        total: allFileNames.length,
        mails: await Promise.all(allFileNames.slice((page - 1) * pageSize, page * pageSize).map(openMail)),
      };
    },
    async read(id) {
      // Compares the id with existing names, so that it is never used as a path.
      const name = (await readFileNames()).find((it) => it === `${id}.eml`);
      return name === undefined ? undefined : openMail(name);
    },
  };
}

function emptyIfMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []; // nothing has been sent yet
  throw error;
}
