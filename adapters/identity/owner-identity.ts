import * as openid from 'openid-client';
import type { OwnerIdentity } from '#shop/ports/owner-identity.ts';

export interface OwnerIdentitySettings {
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  clientSecret: string | undefined;
  /** Where the provider redirects the browser. It must match the address registered there exactly. */
  callbackUrl: string;
}

const timeoutSeconds = 10;

/**
 * Signs the owner in with an account at an OpenID Connect provider. Requests only the subject (the account's id),
 * because an email address does not identify an account.
 */
export function createOwnerIdentity(settings: OwnerIdentitySettings): OwnerIdentity {
  const { issuer, clientId, clientSecret, callbackUrl } = settings;
  let configurationPromise: Promise<openid.Configuration> | undefined;
  /** Reads the provider's configuration once. After a failure, the next call reads it again. */
  const readConfigurationOnce = () =>
    (configurationPromise ??= readConfiguration().catch((error: unknown) => {
      configurationPromise = undefined;
      throw error;
    }));

  const readConfiguration = () =>
    openid.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? openid.None() : createSecretAuthentication(clientSecret),
      {
        timeout: timeoutSeconds,
        execute: [
          // Also checks the token's signature, although the token comes directly from the provider.
          openid.enableNonRepudiationChecks,
          ...(issuer.startsWith('http:') ? [openid.allowInsecureRequests] : []),
        ],
      },
    );

  return {
    async createSignInUrl({ state, nonce, verifier }) {
      try {
        const challenge = await openid.calculatePKCECodeChallenge(verifier);
        const address = openid.buildAuthorizationUrl(await readConfigurationOnce(), {
          redirect_uri: callbackUrl,
          scope: 'openid',
          state,
          nonce,
          code_challenge: challenge,
          code_challenge_method: 'S256',
        });
        return { state: 'ready', address: address.href };
      } catch (error) {
        return { state: 'away', why: getErrorCode(error) };
      }
    },
    async verifyCallback(answer, { state, nonce, verifier }) {
      try {
        const callback = new URL(callbackUrl);
        callback.search = answer;
        const tokens = await openid.authorizationCodeGrant(await readConfigurationOnce(), callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        return { state: 'known', subject: tokens.claims()!.sub };
      } catch (error) {
        return { state: isProviderUnavailable(error) ? 'away' : 'refused', why: getErrorCode(error) };
      }
    },
    async check() {
      await readConfigurationOnce();
    },
  };
}

/**
 * The client authentication that the provider supports. If the provider lists no methods, the standard's default
 * applies: client_secret_basic.
 */
const createSecretAuthentication =
  (secret: string): openid.ClientAuth =>
  (server, ...rest) => {
    const acceptedMethods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const clientAuthentication = acceptedMethods.includes('client_secret_basic')
      ? openid.ClientSecretBasic
      : openid.ClientSecretPost;
    return clientAuthentication(secret)(server, ...rest);
  };

/**
 * Error codes for a missing response and for a response that violates the protocol. The provider causes these errors,
 * not the person who signs in.
 */
const unavailableCodes = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);
function isProviderUnavailable(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) return error.error !== 'invalid_grant';
  if (error instanceof openid.ClientError) return unavailableCodes.has(error.code ?? '');
  return error instanceof TypeError;
}

/** Returns the error's code instead of its message, because the message may quote the provider's response. */
function getErrorCode(error: unknown): string {
  if (error instanceof openid.ResponseBodyError || error instanceof openid.AuthorizationResponseError)
    return /^\w{1,60}$/.test(error.error) ? error.error : error.name;
  if (error instanceof openid.ClientError && error.code) return error.code;
  return error instanceof Error ? error.name : 'unknown';
}
