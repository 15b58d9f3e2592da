/** A picture inside an email, whose HTML shows it as `cid:{name}@letter`. */
export interface EmailPicture {
  /** A file name, such as `frame.jpg`. */
  name: string;
  contentType: 'image/jpeg' | 'image/png';
  bytes: Uint8Array;
  /** Text for readers who cannot see the picture. */
  alt: string;
}
export const contentIdOf = ({ name }: Pick<EmailPicture, 'name'>) => `${name}@letter`;

/** A file that is attached to an email. */
export interface EmailAttachment {
  name: string;
  contentType: string;
  bytes: Uint8Array;
}

/** A finished email, ready to be sent. */
export interface Email {
  /**
   * The email's id, the same in every attempt to send it. It becomes the Message-ID, so that mail programs recognize an
   * email that is sent twice as the same email.
   */
  id: string;
  to: string;
  from: string;
  replyTo?: string;
  subject: string;
  html: string;
  text: string;
  date: Date;
  /**
   * Pictures that the HTML shows. They are attached to the email, so that mail programs load nothing from the network.
   */
  pictures?: EmailPicture[];
  /** Files for the recipient to keep. */
  files?: EmailAttachment[];
  /** A URL that unsubscribes from emails like this one by a single POST (RFC 8058). */
  unsubscribeUrl?: string;
}
export interface Mailer {
  readonly kind: 'outbox' | 'smtp';
  /**
   * Resolves when the email is accepted for delivery. Sending an email with the same id again must not create a second
   * file in the outbox.
   */
  send(email: Email): Promise<void>;
  check(): Promise<void>;
  /** Closes open connections, if there are any. */
  close?(): void;
}
