import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '#contract/refusals.ts';

/** argon2id (the library's 2) with 19 MiB, two passes, one lane. */
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The same letters typed on two keyboards are the same password. */
const normal = (password: string) => password.normalize('NFC');

export const hashPassword = (password: string) => hash(normal(password), cost);

/** Checked in place of a hash that does not exist, so that an unknown e-mail costs the time of a wrong password. */
let nobodysHash: Promise<string> | undefined;

export async function passwordFits(password: string, passwordHash: string | undefined): Promise<boolean> {
  const known = passwordHash ?? (await (nobodysHash ??= hashPassword(crypto.randomUUID())));
  return (await verify(known, normal(password)).catch(() => false)) && passwordHash !== undefined;
}

const shopWords = ['kinframe', 'pictureframe', 'picture frame', 'photoframe', 'photo frame'];
const worst = 5000;
let commonPasswords: Promise<Set<string>> | undefined;

/**
 * Refuse what a stranger would try first: the commonest passwords, one character over and over, the shop's words, the
 * account's own e-mail or the part before its @. Digits and marks at the end make none of them better.
 */
export async function refuseCommonPassword(password: string, email: string): Promise<void> {
  commonPasswords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].slice(0, worst)),
  );
  const lower = normal(password).toLowerCase();
  const bare = bareOf(lower);
  const own = [email, email.split('@')[0]!].map((it) => normal(it).toLowerCase());
  const isGuessed = [...shopWords, ...own].some((it) => it === lower || bareOf(it) === bare);
  if (isGuessed || isOneCharacter(lower) || isOneCharacter(bare) || (await commonPasswords).has(lower))
    throw new Refusal('common-password');
}

/** Without digits and marks at the end, where anything is left. */
const bareOf = (word: string) => word.replace(/[\d!?.#*_-]+$/, '') || word;
const isOneCharacter = (word: string) => /^(.)\1*$/su.test(word);
