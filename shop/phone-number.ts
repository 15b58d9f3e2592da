import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * Returns a phone number in E.164, such as +12075550142. A number without a country code counts as a number in the
 * United States or Canada.
 */
export function toInternationalPhone(typed: string | null | undefined): string | null {
  const parsedNumber = typed ? parsePhoneNumberFromString(typed, 'US') : undefined;
  return parsedNumber?.isPossible() ? parsedNumber.number : null;
}
