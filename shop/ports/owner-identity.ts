/**
 * Values that connect the callback from the identity provider to its sign-in request. Only a cookie of the browser that
 * started the sign-in contains them.
 */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** The PKCE verifier: 43 characters or more. */
  verifier: string;
}

/**
 * The user at the provider, or the reason why there is none. `refused`: the provider's response is not valid. `away`:
 * the provider could not be reached.
 */
export type ProvenIdentity =
  | { state: 'known'; subject: string }
  /** The reason in a few words, for the audit trail. It is never part of the response. */
  | { state: 'refused' | 'away'; why: string };

/** An identity provider at which the owner has an account (OpenID Connect, code flow with PKCE). */
export interface OwnerIdentity {
  /** The address to which the browser is redirected to sign in. */
  createSignInUrl(
    secrets: SignInSecrets,
  ): Promise<{ state: 'ready'; address: string } | { state: 'away'; why: string }>;
  /**
   * Returns the user whom the provider has signed in.
   *
   * @param answer the query string of the callback's address
   */
  verifyCallback(answer: string, secrets: SignInSecrets): Promise<ProvenIdentity>;
  /** Throws if the provider does not have the required features. */
  check(): Promise<void>;
}
