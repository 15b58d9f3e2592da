/** How many lines the introduction of a quote may have: mail programs wrap it. */
const introductionLines = 3;

/**
 * Splits the plain text of an email into the sender's own text and the quoted emails below it. If the sender wrote
 * below or between the quoted lines, or if nothing is recognized, the whole text counts as the sender's own.
 */
export function splitQuote(text: string): { words: string; quoted: string } {
  const lines = text.split('\n');
  // The last line that is not quoted.
  const lastUnquotedLine = lines.findLastIndex((it) => it.trim() !== '' && !it.trim().startsWith('>'));
  const quoteStart = lines.findIndex((_, index) => isStartOfQuote(lines, index, lastUnquotedLine));
  const unsplitMail = { words: text.trim(), quoted: '' };
  if (quoteStart < 0) return unsplitMail;
  const unquotedText = lines.slice(0, quoteStart).join('\n').trim();
  if (unquotedText === '' || hasOwnTextBetween(lines.slice(quoteStart))) return unsplitMail;
  return { words: unquotedText, quoted: lines.slice(quoteStart).join('\n').trim() };
}

function isStartOfQuote(lines: string[], index: number, lastOwn: number): boolean {
  const line = lines[index]!.trim();
  if (
    /^-{2,} ?(original message|forwarded message|ursprüngliche nachricht|message d’origine|mensaje original)/i.test(
      line,
    )
  )
    return true;
  if (/^(on|am|le|el|il|op|em|den)\b/i.test(line)) {
    const introduction = lines
      .slice(index, index + introductionLines)
      .join(' ')
      .slice(0, 400);
    if (
      /^\S+ [^]{4,300}?(wrote|schrieb|a écrit|escribió|ha scritto|schreef|escreveu|skrev)\b[^:]{0,100}:(\s|$)/i.test(
        introduction,
      )
    )
      return true;
  }
  // Outlook quotes with the header of the earlier email.
  if (/^\*?(from|von|de|da)\s?:/i.test(line)) {
    const nextLines = lines.slice(index + 1, index + 6).map((it) => it.trim().replace(/^\*/, ''));
    return (
      nextLines.some((it) => /^(sent|date|gesendet|datum|envoyé|enviado|data)\s?:/i.test(it)) &&
      nextLines.some((it) => /^(subject|betreff|objet|asunto|oggetto)\s?:/i.test(it))
    );
  }
  return line.startsWith('>') && index > lastOwn;
}

/** Whether text without a quote mark follows quoted lines. */
function hasOwnTextBetween(quote: string[]): boolean {
  const markedLines = quote.map((it) => it.trimStart().startsWith('>'));
  const firstMarkedLine = markedLines.indexOf(true);
  return (
    firstMarkedLine >= 0 &&
    quote.slice(firstMarkedLine).some((it, index) => !markedLines[firstMarkedLine + index] && it.trim() !== '')
  );
}
