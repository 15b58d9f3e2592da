import type { SKRSContext2D } from '@napi-rs/canvas';

export interface TextStyle {
  font: string;
  leading: number;
  color?: string;
}

/** Wraps text into lines. A single word that is too long is drawn narrower. Sets the page's font. */
export function wrapText(page: SKRSContext2D, words: string, style: TextStyle & { width: number }): string[] {
  page.font = style.font;
  const lines: string[] = [];
  for (const word of words.split(/\s+/)) {
    const lineWithWord = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && page.measureText(lineWithWord).width <= style.width) lines[lines.length - 1] = lineWithWord;
    else lines.push(word);
  }
  return lines;
}
