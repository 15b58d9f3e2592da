import { createHmac } from 'node:crypto';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns the code that an authenticator app shows now for a base32 secret (RFC 6238). */
export function generateTotpCode(secret: string, at = new Date()): string {
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(at.getTime() / 30_000)));
  const mac = createHmac('sha1', key).update(step).digest();
  const sixDigits = (mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff) % 1_000_000;
  return String(sixDigits).padStart(6, '0');
}
