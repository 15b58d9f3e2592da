/** What ties a browser's answer to its question; each is known to that browser's cookie alone. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** Of PKCE: 43 characters or more. */
  verifier: string;
}

/** Who somebody is at the provider; or that the answer proves nothing; or that the provider could not be asked. */
export type ProvenIdentity =
  | { state: 'known'; subject: string }
  /** In a word or two, for the audit trail; never a part of the answer. */
  | { state: 'refused' | 'away'; why: string };

/** A provider at which the owner has an account (OpenID Connect, code flow with PKCE). */
export interface OwnerIdentity {
  /** Where a browser goes to sign in there. */
  invite(secrets: SignInSecrets): Promise<{ state: 'ready'; address: string } | { state: 'away'; why: string }>;
  /**
   * Who has come back.
   *
   * @param answer the query of the callback's address
   */
  readAnswer(answer: string, secrets: SignInSecrets): Promise<ProvenIdentity>;
  /** Throws where the provider is not what it has to be. */
  check(): Promise<void>;
}
