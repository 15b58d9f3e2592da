import type { PasskeyAnswer } from '#contract/account-forms.ts';

/** The stored part of a passkey. Keys and ids are base64url. */
export interface StoredPasskey {
  id: string;
  publicKey: string;
  counter: number;
  transports: string[];
}

/**
 * The protocol of WebAuthn. The shop creates, stores and consumes the challenges; this port only formats and compares
 * them.
 */
export interface Passkeys {
  /**
   * The options that the browser needs to create a passkey. The browser does not create a second passkey on a device
   * whose passkey is in `known`.
   */
  inviteNew(request: {
    challenge: string;
    holder: { id: string; email: string; name: string };
    known: Pick<StoredPasskey, 'id' | 'transports'>[];
  }): Promise<Record<string, unknown>>;
  /** The options that the browser needs to sign in with any passkey of the shop. */
  invite(challenge: string): Promise<Record<string, unknown>>;
  /** The challenge that the browser's response contains. It is not verified yet. */
  challengeOf(answer: PasskeyAnswer): string | undefined;
  /**
   * Returns the new passkey. Returns undefined unless the browser's response matches this challenge, comes from the
   * shop's pages, and the device has verified the user.
   */
  verifyNewPasskey(
    answer: PasskeyAnswer,
    challenge: string,
  ): Promise<(StoredPasskey & { isSynced: boolean }) | undefined>;
  /** Returns the new signature counter if this passkey has signed this challenge, otherwise undefined. */
  verifyPasskey(
    answer: PasskeyAnswer,
    challenge: string,
    passkey: StoredPasskey,
  ): Promise<{ counter: number } | undefined>;
}
