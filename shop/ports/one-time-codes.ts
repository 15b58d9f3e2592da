/**
 * Six-digit codes that a phone app and the shop compute from the same secret (RFC 6238). The code changes every 30
 * seconds.
 */
export interface OneTimeCodes {
  /** A new secret in base32, the form in which people type it. */
  newSecret(): string;
  /** The address for the QR code that the app scans. */
  addressOf(secret: string, shopName: string): string;
  /** Returns the 30-second step of this code, if it is the code of the current, previous or next step. */
  stepOf(secret: string, code: string, now: Date): number | undefined;
}
