import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAnswer } from '#contract/account-forms.ts';
import { baseUrl } from './shop.ts';

const cborText = (value: string) => Buffer.concat([cborHead(3, value.length), Buffer.from(value)]);
const cborBytes = (value: Buffer) => Buffer.concat([cborHead(2, value.length), value]);
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborMap = (entries: [Buffer, Buffer][]) => Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  return value < 256
    ? Buffer.from([(major << 5) | 24, value])
    : Buffer.from([(major << 5) | 25, value >> 8, value & 255]);
}
const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

/** A device that creates one passkey and signs with it. It returns the same responses as a browser. */
export function createFakeAuthenticator({ origin = baseUrl, isPersonKnown = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const id = randomBytes(32);
  let counter = 0;
  const coseKey = cborMap([
    [cborInt(1), cborInt(2)],
    [cborInt(3), cborInt(-7)],
    [cborInt(-1), cborInt(1)],
    [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
    [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
  ]);
  const createClientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const createAuthenticatorData = (flags: number, more: Buffer = Buffer.alloc(0)) => {
    const signatureCount = Buffer.alloc(4);
    signatureCount.writeUInt32BE((counter += 1));
    const verifiedFlags = isPersonKnown ? 5 : 1;
    return Buffer.concat([
      sha256(new URL(origin).hostname),
      Buffer.from([flags | verifiedFlags]),
      signatureCount,
      more,
    ]);
  };
  const credentialFields = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
  };
  return {
    id: credentialFields.id,
    /**
     * Resets the signature counter, as in a copied key: a copy starts with the counter of the moment when it was made.
     */
    forgetCount: () => (counter = 0),
    make({ challenge }: { challenge: string }): PasskeyAnswer {
      const length = Buffer.from([0, id.length]);
      const data = createAuthenticatorData(0x40, Buffer.concat([Buffer.alloc(16), length, id, coseKey]));
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(data)],
      ]);
      return {
        ...credentialFields,
        response: {
          clientDataJSON: createClientData('webauthn.create', challenge).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    sign({ challenge }: { challenge: string }): PasskeyAnswer {
      const client = createClientData('webauthn.get', challenge);
      const data = createAuthenticatorData(0);
      return {
        ...credentialFields,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
        },
      };
    },
  };
}
