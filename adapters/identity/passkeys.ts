import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { lifetimes } from '#contract/limits.ts';
import type { Passkeys } from '#shop/ports/passkeys.ts';

/**
 * Loads the library when a passkey is first used. Its certificate parser needs memory, and most processes use no
 * passkeys.
 */
const loadLibrary = () => import('@simplewebauthn/server');
const challengeTimeoutMs = lifetimes.passkeyChallengeMinutes * 60_000;
const decodeBase64Url = (base64url: string) => new Uint8Array(Buffer.from(base64url, 'base64url'));

/** Passkeys for the site at this address. They are bound to its host name: passkeys of another host do not work. */
export function createPasskeys(baseUrl: string, rpName = 'Kinframe'): Passkeys {
  const { origin, hostname: rpID } = new URL(baseUrl);
  const verificationOptions = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };
  return {
    inviteNew: async ({ challenge, holder, known }) => ({
      ...(await (
        await loadLibrary()
      ).generateRegistrationOptions({
        rpName,
        rpID,
        challenge: decodeBase64Url(challenge),
        userID: new Uint8Array(Buffer.from(holder.id)),
        userName: holder.email,
        userDisplayName: holder.name,
        timeout: challengeTimeoutMs,
        attestationType: 'none',
        excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
        // A passkey replaces both the email address and the password, so the device must store the account and verify
        // the user.
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })),
    }),
    invite: async (challenge) => ({
      ...(await (
        await loadLibrary()
      ).generateAuthenticationOptions({
        rpID,
        challenge: decodeBase64Url(challenge),
        timeout: challengeTimeoutMs,
        userVerification: 'required',
      })),
    }),
    challengeOf: ({ response }) => {
      try {
        const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as {
          challenge?: unknown;
        };
        return typeof challenge === 'string' && challenge.length <= 200 ? challenge : undefined;
      } catch {
        return undefined;
      }
    },
    async verifyNewPasskey(answer, expectedChallenge) {
      const { verifyRegistrationResponse } = await loadLibrary();
      const response = { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON;
      // The caller refuses every invalid passkey in the same way, so the reason is not needed.
      const { registrationInfo } = await verifyRegistrationResponse({
        ...verificationOptions,
        response,
        expectedChallenge,
      }).catch(() => ({ registrationInfo: undefined }));
      if (!registrationInfo) return undefined;
      const { credential, credentialBackedUp } = registrationInfo;
      return {
        id: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: credential.transports ?? [],
        isSynced: credentialBackedUp,
      };
    },
    async verifyPasskey(answer, expectedChallenge, { id, publicKey, counter, transports }) {
      const { verifyAuthenticationResponse } = await loadLibrary();
      const response = { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON;
      const credential = { id, publicKey: decodeBase64Url(publicKey), counter, transports };
      const verification = await verifyAuthenticationResponse({
        ...verificationOptions,
        response,
        expectedChallenge,
        credential,
      }).catch(() => undefined);
      return verification?.verified ? { counter: verification.authenticationInfo.newCounter } : undefined;
    },
  };
}
