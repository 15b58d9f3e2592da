import type { RenderedPage } from './render.ts';
import { styleFor, type StylePart } from './style-parts.ts';

/** The parts of a style of the build, by its address. */
export type StyleAt = (address: string) => Promise<StylePart[]>;

/**
 * A page whose code and style are fetched only when `web/shell/before-awake.tsx` calls them: what it shows of its style has
 * come with it. Until then its pictures and letters have the line, and the reader the processor, for themselves. What is a
 * link, a picture or a text works meanwhile; what its code adds comes after the whole style.
 */
export async function asleep(page: RenderedPage, styleAt: StyleAt): Promise<RenderedPage> {
  const html = page.html
    .replaceAll('<link rel="modulepreload"', '<link rel="asleep"')
    .replaceAll('<script type="module" ', '<script type="text/asleep" ');
  const address = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1];
  if (address === undefined) return { ...page, html };
  const style = styleFor(html, await styleAt(address));
  const link = `<link rel="stylesheet" href="${address}"`;
  return {
    ...page,
    html: html.replace(link, () => `<style>${style}</style><link rel="asleep" as="style" href="${address}"`),
    styles: [style],
  };
}
