/** A ZIP code with the city and the state that the post office names first. */
export interface PostalCode {
  /** Five digits. */
  postalCode: string;
  city: string;
  /** Two letters. */
  state: string;
}

/** The ZIP codes of the United States. */
export interface PostalCodes {
  /** Finds a ZIP code by its five digits. Undefined if it is unknown. */
  find(fiveDigits: string): Promise<PostalCode | undefined>;
}
