import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InboundMailReader, ParsedMail } from '#shop/ports/inbound-mail.ts';
import { childProgramUrl } from '../../processes/child-entry.ts';
import { ChildStoppedError, runInChild } from '../../processes/run-in-child.ts';

export interface ParseJob {
  path: string;
  folder: string;
  isWhole: boolean;
}

/** An email whose parser ended without a result. */
const unreadableMail: ParsedMail = {
  messageId: undefined,
  from: undefined,
  recipients: [],
  subject: '',
  words: '',
  quoted: '',
  origin: 'person',
  refusesReplies: true,
  attachments: [],
  leftOut: [],
  problem: 'unreadable',
};

/**
 * Parses emails in a child process, because a stranger writes them: an email that takes too much time or memory ends
 * only this process. Then the header is parsed alone.
 */
export const inboundMailReader: InboundMailReader = {
  async read(path, folder, { isWhole }) {
    const mail = await parseInChild({ path, folder, isWhole });
    if (mail || !isWhole) return mail ?? unreadableMail;
    const headerPath = join(folder, 'header');
    await writeFile(headerPath, await readHeader(path));
    const header = await parseInChild({ path: headerPath, folder, isWhole: false });
    return { ...(header ?? unreadableMail), problem: 'unreadable' };
  },
};

/** Undefined if the parser ended without a result. */
const parseInChild = (job: ParseJob): Promise<ParsedMail | undefined> =>
  runInChild<ParseJob, ParsedMail>({
    entry: childProgramUrl(import.meta.url, 'parse-mail-child'),
    job,
    nodeArguments: ['--max-old-space-size=384'],
    timeoutMs: 20_000,
  }).catch((error: unknown) => {
    // A program that does not start is a fault of the installation, not of the email.
    if (error instanceof ChildStoppedError && error.started && error.reason !== 'aborted') return undefined;
    throw error;
  });

const mostHeaderBytes = 64 * 1024;
async function readHeader(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostHeaderBytes), 0, mostHeaderBytes, 0);
    const startOfMail = buffer.subarray(0, bytesRead);
    const end = startOfMail.indexOf('\r\n\r\n');
    return startOfMail.subarray(0, end < 0 ? bytesRead : end);
  } finally {
    await file.close();
  }
}
