import { Secret, TOTP } from 'otpauth';
import type { OneTimeCodes } from '#shop/ports/one-time-codes.ts';

/** The defaults that every authenticator app supports. */
const usualParameters = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Allowed difference in steps, for wrong phone clocks and the time for typing. */
const allowedSteps = 1;

const createTotp = (secret: string, issuer = '') =>
  new TOTP({ ...usualParameters, issuer, label: 'Admin panel', secret: Secret.fromBase32(secret) });

export const oneTimeCodes: OneTimeCodes = {
  newSecret: () => new Secret({ size: 20 }).base32,
  addressOf: (secret, shopName) => createTotp(secret, shopName).toString(),
  stepOf(secret, code, now) {
    if (!/^\d{6}$/.test(code)) return undefined;
    const totp = createTotp(secret);
    const timestamp = now.getTime();
    const delta = totp.validate({ token: code, timestamp, window: allowedSteps });
    return delta === null ? undefined : totp.counter({ timestamp }) + delta;
  },
};
