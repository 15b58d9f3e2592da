/**
 * Finds links, addresses and phone numbers in text from strangers. Mail programs and people read full-width letters,
 * ideographic full stops and characters that look like a slash as plain ones, so the text is normalized first.
 */
const lookAlikeCharacters: [RegExp, string][] = [
  [/[\u3002\uff61\u06d4\u2024\ufe52\ua4f8]/g, '.'], // ideographic, half-width and Arabic full stops, dot leaders
  [/[\u2044\u2215\u29f8\u2571\u30ce]/g, '/'], // fraction and division slashes
  [/[\u2236\ua789\u02d0\u05c3]/g, ':'], // the ratio sign and letters that look like a colon
  [/[\u2216\u29f5\u29f9]/g, '\\'],
];
const linkPatterns = [
  /[/\\:@]/, // characters of a scheme, a path or an email address
  /[\p{L}\p{N}_-]\.\p{L}{2,}/u, // a host name: letters, a dot, then at least two letters
  /\p{Nd}[\p{Nd}\s().-]{5,}\p{Nd}/u, // a telephone number, or a host of digits
];

export function looksLikeLink(text: string): boolean {
  const visibleText = text.normalize('NFKC').replaceAll(/[\p{Cf}\p{Mn}]/gu, '');
  const plainText = lookAlikeCharacters.reduce(
    (soFar, [like, plainly]) => soFar.replaceAll(like, plainly),
    visibleText,
  );
  return linkPatterns.some((it) => it.test(plainText));
}
