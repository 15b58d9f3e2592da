import * as z from 'zod/mini';

/** Fields that several forms share, with the specification's words. */

/** One line of text that must not be empty. */
export const trimmed = (words: string, most: number) =>
  z.string(words).check(z.trim(), z.minLength(1, words), z.maxLength(most, `Please use at most ${most} characters`));

const emailWords = 'Please enter a valid email address';
/** Trimmed and in lower case: one mailbox is one text everywhere. */
export const emailAddress = z
  .string(emailWords)
  .check(z.trim(), z.toLowerCase(), z.maxLength(254, emailWords), z.email(emailWords));
