/** The address of one browser at its push service, and the keys for messages to it (RFC 8030, RFC 8291). */
export interface PushAddress {
  endpoint: string;
  p256dh: string;
  auth: string;
}
/** The key pair with which the shop identifies itself to push services (VAPID, RFC 8292), base64url. */
export interface PushKeys {
  publicKey: string;
  privateKey: string;
}
/** What the device shows. It passes a push service and appears on a lock screen, so it has no personal data. */
export interface PushMessage {
  title: string;
  body: string;
  /** A message replaces an earlier one with the same tag. */
  tag: string;
  /** The path that opens when the owner taps the notification. */
  path: string;
}

/** Sends notifications to browsers. */
export interface PushService {
  createKeys(): PushKeys;
  /** Whether messages can be sent to this endpoint: an https URL whose host may be on the public network. */
  accepts(endpoint: string): boolean;
  /**
   * Sends a message. Returns `gone` if the browser no longer accepts messages at this address. Rejects if the push
   * service does not respond or refuses the message.
   */
  send(keys: PushKeys, to: PushAddress, message: PushMessage): Promise<'sent' | 'gone'>;
}
