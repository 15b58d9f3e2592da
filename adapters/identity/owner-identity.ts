import * as openid from 'openid-client';
import type { OwnerIdentity } from '#shop/ports/owner-identity.ts';

export interface OwnerIdentitySettings {
  issuer: string;
  clientId: string;
  /** Undefined: a public client. */
  clientSecret: string | undefined;
  /** Where the provider sends the browser back to; known to it to the letter. */
  callbackUrl: string;
}

const timeoutSeconds = 10;

/** The owner's account at an OpenID Connect provider. Only its subject is asked for: an e-mail proves nothing. */
export function createOwnerIdentity(settings: OwnerIdentitySettings): OwnerIdentity {
  const { issuer, clientId, clientSecret, callbackUrl } = settings;
  let known: Promise<openid.Configuration> | undefined;
  /** Asked once; a provider that could not be asked is asked again. */
  const provider = () =>
    (known ??= discover().catch((error: unknown) => {
      known = undefined;
      throw error;
    }));

  const discover = () =>
    openid.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? openid.None() : bySecret(clientSecret),
      {
        timeout: timeoutSeconds,
        execute: [
          // The signature too, though the token comes straight from the provider.
          openid.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
        ],
      },
    );

  return {
    async invite({ state, nonce, verifier }) {
      try {
        const challenge = await openid.calculatePKCECodeChallenge(verifier);
        const address = openid.buildAuthorizationUrl(await provider(), {
          redirect_uri: callbackUrl,
          scope: 'openid',
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        });
        return { state: 'ready', address: address.href };
      } catch (error) {
        return { state: 'away', why: nameOf(error) };
      }
    },
    async readAnswer(answer, { state, nonce, verifier }) {
      try {
        const callback = new URL(callbackUrl);
        callback.search = answer;
        const tokens = await openid.authorizationCodeGrant(await provider(), callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return { state: 'known', subject: tokens.claims()!.sub };
      } catch (error) {
        return { state: isAway(error) ? 'away' : 'refused', why: nameOf(error) };
      }
    },
    async check() {
      await provider();
    },
  };
}

/** As the provider takes it; the standard's default where it does not say. */
const bySecret =
  (secret: string): openid.ClientAuth =>
  (server, ...rest) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const auth = taken.includes('client_secret_basic') ? openid.ClientSecretBasic : openid.ClientSecretPost;
    return auth(secret)(server, ...rest);
  };

/** No answer, or none in the protocol: whoever signs in is not to blame. */
const awayCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);
function isAway(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) return error.error !== 'invalid_grant';
  if (error instanceof openid.ClientError) return awayCodes.has(error.code ?? '');
  return error instanceof TypeError;
}

/** What the library calls it; its messages may quote the answer. */
function nameOf(error: unknown): string {
  if (error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError)
    return /^\w{1,60}$/.test(error.error) ? error.error : error.name;
  if (error instanceof openid.ClientError && error.code) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
