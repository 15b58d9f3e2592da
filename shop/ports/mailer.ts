/** A picture inside a letter, whose HTML shows it as `cid:{name}@letter`. */
export interface LetterPicture {
  /** As a file is called: `frame.jpg`. */
  name: string;
  contentType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
  /** For those who do not see it. */
  alt: string;
}
export const contentIdOf = ({ name }: Pick<LetterPicture, 'name'>) => `${name}@letter`;

/** A finished letter, ready to be sent. */
export interface Letter {
  /** Stable id of the event it tells about; becomes the Message-ID, so a second sending is recognisably the same mail. */
  id: string;
  to: string;
  from: string;
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  date: Date;
  /** What its HTML shows, inside the mail: nothing is fetched. */
  pictures?: LetterPicture[];
  /** Ends mails like this one by a single POST (RFC 8058). */
  unsubscribeUrl?: string;
}
export interface Mailer {
  readonly kind: 'outbox' | 'smtp';
  /** Resolves once the mail is accepted for delivery; sending the same letter id again must not make a second file in the outbox. */
  send(letter: Letter): Promise<void>;
  check(): Promise<void>;
  /** Let go of open connections, where there are any. */
  close?(): void;
}
