import * as z from 'zod/mini';
import { isPlainMailbox, tidyCode, tidyEmail, tidyText } from './tidy.ts';

/** Fields that several forms share, with the error messages from the specification. */

/** For every text field that users type into. */
export const tidyTextCheck = z.overwrite<string>(tidyText);

/** One line of text that must not be empty. */
export const requiredTextField = (words: string, most: number) =>
  z
    .string(words)
    .check(tidyTextCheck, z.minLength(1, words), z.maxLength(most, `Please use at most ${most} characters`));

/** A text that may be empty. */
export const optionalTextField = (most: number, words = `Please use at most ${most} characters`) =>
  z.string().check(tidyTextCheck, z.maxLength(most, words));

/** Stored as typed. The server derives the international form where possible. */
export const phoneNumberField = optionalTextField(40, 'This phone number is too long');

/** A code that the shop issued. Characters that users add between its letters are removed. */
export const shopCodeField = (most: number, words: string) =>
  z.string().check(z.overwrite<string>(tidyCode), z.maxLength(most, words));

const emailMessage = 'Please enter a valid email address';
const localPartText =
  'Please use an email address with only the letters a to z, digits and . _ + - before the @. We can’t send email to other addresses.';
/** Zod's own pattern, extended with top-level domains in their xn-- form. */
const emailPattern =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+([A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

const typedEmail = (missing: string) =>
  z
    .string(missing)
    .check(
      z.overwrite<string>(tidyEmail),
      z.minLength(1, missing),
      z.refine(isPlainMailbox, { error: localPartText, abort: true }),
      z.maxLength(254, emailMessage),
    );
export const requiredEmailField = (missing: string) =>
  typedEmail(missing).check(z.email({ pattern: emailPattern, error: emailMessage }));
/** For fields where the specification requires only an @. */
export const looseEmailField = (missing: string) => typedEmail(missing).check(z.regex(/@/, emailMessage));

/** Normalized, so that one mailbox has the same text everywhere. */
export const emailAddressField = requiredEmailField(emailMessage);
