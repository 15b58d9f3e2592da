/** Reads emails that strangers send to the shop. */
export interface InboundMailReader {
  /**
   * Parses an email within time and memory limits. Never throws because of the email itself: `problem` is then set, and
   * only the header may be known.
   *
   * @param folder where to write the attachments. The caller deletes it
   * @param isWhole false: the file has only the header, because the email is too large
   */
  read(path: string, folder: string, options: { isWhole: boolean }): Promise<ParsedMail>;
}

export interface ParsedMail {
  /** The Message-ID of the header, at most 500 characters. */
  messageId: string | undefined;
  /** Undefined if the header has no usable sender. */
  from: { name: string; address: string } | undefined;
  /** All addresses to which the header says that the email went, in lower case. */
  recipients: string[];
  subject: string;
  /** The sender's own text, as plain text. */
  words: string;
  /** The quoted earlier emails below it. */
  quoted: string;
  /**
   * `automatic`: an auto-reply, a bounce or another email that no person wrote. `list`: a mailing list or a mass email.
   */
  origin: 'person' | 'list' | 'automatic';
  /** True if the sender asks not to get automatic replies. */
  refusesReplies: boolean;
  attachments: MailAttachment[];
  /** The names of attachments beyond the limits. */
  leftOut: string[];
  /** Why the text is missing: the email exceeds the size limit, or it cannot be parsed. */
  problem: MailProblem | null;
}
export type MailProblem = 'too-large' | 'unreadable';

export interface MailAttachment {
  name: string;
  /** On the local disk. */
  path: string;
  sizeBytes: number;
}

/** An email as it arrived, on the local disk. */
export interface ArrivedMail {
  path: string;
  /** A folder for the files of this email. */
  folder: string;
  isWhole: boolean;
}

/** What became of an email. `deferred`: its sender sent too many; it can be offered again later. */
export type MailOutcome = 'joined' | 'new-ticket' | 'ignored' | 'duplicate' | 'deferred';

/** A mailbox whose unread emails the shop reads. */
export interface Mailbox {
  /**
   * Passes each unread email to `take`, oldest first, and marks it as read after `take` has returned. An email whose
   * `take` throws stays unread; the error goes to `onError`, and the next email follows. Rejects if the server cannot
   * be reached.
   */
  readUnread(
    options: { workFolder: string; signal: AbortSignal; onError: (error: unknown) => void },
    take: (mail: ArrivedMail) => Promise<MailOutcome>,
  ): Promise<void>;
  /** Signs in and opens the mailbox. Returns the number of emails in it. */
  check(): Promise<number>;
}
