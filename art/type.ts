// The shop's fonts for canvas: Fraunces for headings, Figtree for the rest; and its colors.
import path from 'node:path';
import { GlobalFonts } from '@napi-rs/canvas';
import type { CanvasContext } from './gallery/stage.ts';
import { projectRootFolder } from './places.ts';

const createFontPath = (file: string) => path.join(projectRootFolder, 'node_modules/@fontsource-variable', file);
GlobalFonts.registerFromPath(createFontPath('fraunces/files/fraunces-latin-full-normal.woff2'), 'Fraunces');
GlobalFonts.registerFromPath(createFontPath('figtree/files/figtree-latin-wght-normal.woff2'), 'Figtree');

export const paperBackgroundColor = '#faf6ef';
export const inkColor = '#2b2420';
export const accentColor = '#b4532a';

export function wrapLines(g: CanvasContext, text: string, width: number) {
  const wrappedLines: string[] = [];
  for (const word of text.split(' ')) {
    const lastLine = wrappedLines.at(-1);
    if (lastLine !== undefined && g.measureText(`${lastLine} ${word}`).width <= width)
      wrappedLines[wrappedLines.length - 1] = `${lastLine} ${word}`;
    else wrappedLines.push(word);
  }
  return wrappedLines;
}

/** The logo mark: a frame with two arcs of motion at its corner. Drawn in a square of 64 units. */
export const createLogoSvg = (color = accentColor, ground?: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="Kinframe">${ground ? `<rect width="64" height="64" rx="14" fill="${ground}"/>` : ''}${createLogoShapes(color)}</svg>`;

export const createLogoShapes = (color: string) =>
  `<g fill="none" stroke="${color}" stroke-linecap="round" stroke-linejoin="round"><path stroke-width="5" d="M36.5 17.5H15.5a4 4 0 0 0-4 4v25a4 4 0 0 0 4 4h33a4 4 0 0 0 4-4V34"/><path stroke-width="4" d="M20.5 41.5l8.6-10.2a2 2 0 0 1 3 0l5 5.7 2.6-2.8a2 2 0 0 1 2.9 0l3.4 3.8"/><path stroke-width="3.6" d="M49.6 26.4a10.5 10.5 0 0 0-6-8"/><path stroke-width="3.6" d="M57 24.6A19.4 19.4 0 0 0 46.6 10.6"/></g><circle cx="22.6" cy="27.6" r="2.9" fill="${color}"/>`;
