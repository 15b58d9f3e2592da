/**
 * For each font file of the shop's typeface: the characters that it contains, written for use inside the brackets of a
 * regular expression.
 */
export const titleCharacterClasses = {
  latin:
    ' -~\u00a0-\u00ff\u0131\u0152\u0153\u02bc\u02c6\u02da\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2032\u2033\u2039\u203a\u2044\u20ac\u2122\u2212\u2215',
  'latin-ext':
    '\u0100-\u0130\u0132-\u0148\u014a-\u0151\u0154-\u017e\u018f\u01c4-\u01cc\u01e6\u01e7\u01ea\u01eb\u01fa-\u021b\u022a-\u022d\u0230-\u0233\u0237\u0259\u1e80-\u1e85\u1e9e',
  vietnamese: '\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9',
} as const;

const letterPattern = /[\p{L}\p{N}]/u;
const missingCharacterPattern = new RegExp(`[^${Object.values(titleCharacterClasses).join('')}]`, 'gu');

/**
 * Returns the part of a caption that is written on a video. Emoji and symbols that the typeface lacks are left out.
 * Returns undefined if a letter is missing from the typeface (it has Latin letters only) or if no letter remains.
 */
export function videoTitleFromCaption(caption: string | null): string | undefined {
  const plainCaption = (caption ?? '').normalize('NFC').replace(/\p{Cf}|[\ufe00-\ufe0f\u20e3]/gu, '');
  const title = plainCaption
    .replace(missingCharacterPattern, (sign) => (/[\p{L}\p{M}\p{N}]/u.test(sign) ? sign : ' '))
    .replace(/\s+/g, ' ')
    .trim();
  return letterPattern.test(title) && title.search(missingCharacterPattern) === -1 ? title : undefined;
}
