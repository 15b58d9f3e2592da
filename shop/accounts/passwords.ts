import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#contract/refusals.ts';

/** argon2id (algorithm 2 of the library) with 19 MiB of memory, two passes and one lane. */
const hashOptions = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Normalize Unicode, because two keyboards can encode the same letters differently. */
const normalizePassword = (password: string) => password.normalize('NFC');

export const hashPassword = (password: string) => hash(normalizePassword(password), hashOptions);

/**
 * The hash that is checked if the email address has no account. The check then takes as long as for a wrong password,
 * so that the response time does not reveal whether the account exists.
 */
let dummyHash: Promise<string> | undefined;

export async function isPasswordCorrect(password: string, passwordHash: string | undefined): Promise<boolean> {
  const hashToCheck = passwordHash ?? (await (dummyHash ??= hashPassword(crypto.randomUUID())));
  return (await verify(hashToCheck, normalizePassword(password)).catch(() => false)) && passwordHash !== undefined;
}

const commonShopWords = ['kinframe', 'pictureframe', 'picture frame', 'photoframe', 'photo frame'];
const commonPasswordCount = 5000;
let commonPasswords: Promise<Set<string>> | undefined;

/**
 * Refuse passwords that an attacker tries first: the most common ones, one repeated character, the name of the shop or
 * its product, the account's email address or the part before its @. Ignores case, and digits and punctuation at the
 * end: attackers try a common password with a few of them before anything else.
 */
export async function refuseCommonPassword(password: string, email: string): Promise<void> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, commonPasswordCount)),
  );
  const lowerCasePassword = normalizePassword(password).toLowerCase();
  const passwordWithoutDigits = stripTrailingDigits(lowerCasePassword);
  const ownWords = [email, email.split('@')[0]!].map((it) => normalizePassword(it).toLowerCase());
  const isGuessed = [...commonShopWords, ...ownWords].some(
    (it) => it === lowerCasePassword || stripTrailingDigits(it) === passwordWithoutDigits,
  );
  const commonSet = await commonPasswords;
  const isCommon = commonSet.has(lowerCasePassword) || commonSet.has(passwordWithoutDigits);
  if (isGuessed || isOneCharacter(lowerCasePassword) || isOneCharacter(passwordWithoutDigits) || isCommon)
    throw new Refusal('common-password');
}

/** The word without digits and punctuation at its end. A word that consists only of them is returned unchanged. */
const stripTrailingDigits = (word: string) => word.replace(/[\d\p{P}\p{S}]+$/u, '') || word;
const isOneCharacter = (word: string) => /^(.)\1*$/su.test(word);
