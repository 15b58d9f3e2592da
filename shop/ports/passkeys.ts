import type { PasskeyAnswer } from '#contract/account-forms.ts';

/** What is kept of a passkey; keys and ids are base64url. */
export interface KnownPasskey {
  id: string;
  publicKey: string;
  counter: number;
  transports: string[];
}

/** The ceremonies of WebAuthn. A challenge is made, kept and used up by the shop; here it is only written and compared. */
export interface Passkeys {
  /** What the browser needs to make one. `known` are not made twice. */
  inviteNew(ask: {
    challenge: string;
    customer: { id: string; email: string; name: string };
    known: Pick<KnownPasskey, 'id' | 'transports'>[];
  }): Promise<Record<string, unknown>>;
  /** What the browser needs to sign in with any of ours. */
  invite(challenge: string): Promise<Record<string, unknown>>;
  /** The challenge an answer is to, as it says itself. */
  challengeOf(answer: PasskeyAnswer): string | undefined;
  /** The new passkey, if the answer is one to this challenge, from our own pages, by a person its device knows. */
  readNew(answer: PasskeyAnswer, challenge: string): Promise<(KnownPasskey & { isSynced: boolean }) | undefined>;
  /** Whether this passkey signed this challenge so; then how often it has signed by now. */
  check(answer: PasskeyAnswer, challenge: string, passkey: KnownPasskey): Promise<{ counter: number } | undefined>;
}
