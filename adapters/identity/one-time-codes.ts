import { Secret, TOTP } from 'otpauth';
import type { OneTimeCodes } from '#shop/ports/one-time-codes.ts';

/** What every authenticator app takes without being asked. */
const usual = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Steps that a phone's clock may be off, and that typing takes. */
const window = 1;

const totpOf = (secret: string, issuer = '') =>
  new TOTP({ ...usual, issuer, label: 'Admin panel', secret: Secret.fromBase32(secret) });

export const oneTimeCodes: OneTimeCodes = {
  newSecret: () => new Secret({ size: 20 }).base32,
  addressOf: (secret, shopName) => totpOf(secret, shopName).toString(),
  stepOf(secret, code, now) {
    if (!/^\d{6}$/.test(code)) return undefined;
    const totp = totpOf(secret);
    const timestamp = now.getTime();
    const delta = totp.validate({ token: code, timestamp, window });
    return delta === null ? undefined : totp.counter({ timestamp }) + delta;
  },
};
