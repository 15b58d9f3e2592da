/** Six digits that an app on a phone and we make alike of one secret, others each half minute (RFC 6238). */
export interface OneTimeCodes {
  /** As people type it: base32. */
  newSecret(): string;
  /** What the app's camera reads. */
  addressOf(secret: string, shopName: string): string;
  /** The half minute this is the code of, if that is the present one, the one before or the one after. */
  stepOf(secret: string, code: string, now: Date): number | undefined;
}
