/** How typed text is normalized. Forms and operations share these functions, so that both store the same text. */

/** Removes white space and invisible characters at both ends. */
export function tidyText(text: string): string {
  // Do not use a regular expression here: its run time is quadratic in the length of a run of spaces.
  let start = 0;
  let end = text.length;
  while (start < end && isInvisible(characterAt(text, start))) start += characterAt(text, start).length;
  while (end > start && isInvisible(characterBefore(text, end))) end -= characterBefore(text, end).length;
  return text.slice(start, end);
}
const characterAt = (text: string, at: number) => String.fromCodePoint(text.codePointAt(at)!);
const characterBefore = (text: string, end: number) => {
  const pair = text.slice(Math.max(0, end - 2), end);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(pair) ? pair : text.charAt(end - 1);
};
/**
 * NUL is not removed, so that the text is refused: the database cannot store it. The Braille blank is listed explicitly
 * because Unicode classifies it as visible. Variation selectors and tags are part of the preceding emoji.
 */
const isInvisible = (character: string) =>
  character !== '\0' &&
  /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u.test(character) &&
  !/^[\ufe00-\ufe0f\u{e0020}-\u{e007f}]$/u.test(character);

/** Converts full-width letters and symbols, digits of all scripts, dashes and spaces to their ASCII forms. */
export const toAsciiText = (text: string) =>
  // Skip long text: every field that uses this refuses text far shorter than that.
  text.length > 1000
    ? text
    : tidyText(
        text
          .normalize('NFKC')
          .replace(/\p{Nd}/gu, toAsciiDigit)
          .replace(/[\p{Pd}\u2212\u30fc\uff70]/gu, '-')
          .replace(/\s/gu, ' '),
      );
/** The ten digits of a script are consecutive in Unicode, starting with zero. */
function toAsciiDigit(character: string): string {
  let value = 0;
  for (let point = character.codePointAt(0)!; /\p{Nd}/u.test(String.fromCodePoint(point - 1)); point--) value++;
  return String(value % 10);
}

/** Converts full-width letters and symbols to their ASCII forms. Other digits stay. */
export const tidyAmount = (text: string) => (text.length > 100 ? text : tidyText(text.normalize('NFKC')));

/**
 * Tidies a code that the shop issued, such as a promo code or a one-time code: removes spaces and invisible characters.
 */
export const tidyCode = (text: string) => toAsciiText(text).replace(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');

/** Tidies a code of a frame's manufacturer. Inner spaces stay. */
export const tidyFrameCode = (text: string) => toAsciiText(text);

/**
 * Puts a hyphen before the four extra digits of a ZIP code. Other text stays as typed, so that it is refused as typed.
 */
export function tidyZip(text: string): string {
  const [, five, four] = /^(\d{5})-?(\d{4})?$/.exec(tidyCode(text)) ?? [];
  return five === undefined ? tidyText(text) : [five, four].filter(Boolean).join('-');
}

/** Formats a Canadian postal code as Canada Post does. */
export const tidyCanadianCode = (text: string) =>
  tidyCode(text)
    .toUpperCase()
    .replaceAll('-', '')
    .replace(/^(.{3})(.{3})$/, '$1 $2');

/**
 * Normalizes an address, so that one mailbox has one text: lower case, ASCII, and the domain in its xn-- form. Letters
 * beyond ASCII before the @ stay, so that the address is refused: in lower case, some of them would name another
 * mailbox.
 */
export function tidyEmail(text: string): string {
  const tidiedText = tidyText(text)
    .replace(/[\uff01-\uff5e]/g, (it) => String.fromCharCode(it.charCodeAt(0) - 0xfee0))
    .replace(/[A-Z]/g, (it) => it.toLowerCase());
  const atSignIndex = tidiedText.lastIndexOf('@');
  return atSignIndex === -1
    ? tidiedText
    : tidiedText.slice(0, atSignIndex + 1) + toAsciiDomain(tidiedText.slice(atSignIndex + 1));
}
/** Uses the platform's conversion (UTS 46). Text that is not a bare domain stays unchanged. */
function toAsciiDomain(domain: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII as a whole
  if (/^[\0-\x7f]*$/.test(domain) || /[\s/?#:@%\\[\]]/.test(domain)) return domain;
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return domain; // not a domain: refused as typed
  }
}
/**
 * True if the part before the @ has only ASCII characters. Email to other addresses needs mail servers that few people
 * have.
 */
export const isPlainMailbox = (email: string) => /^[\x21-\x7e]*(@|$)/.test(email);

/** Converts the domains of email addresses in a search to the stored form. */
export const tidySearch = (text: string) =>
  tidyText(text)
    .split(/(\s)/)
    .map((it) => (it.includes('@') ? tidyEmail(it) : it))
    .join('');
