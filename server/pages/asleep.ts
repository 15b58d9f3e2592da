import type { RenderedPage } from './render.ts';

/**
 * A page whose code is fetched only when `web/shell/before-awake.tsx` calls it, and whose style has come with it: until
 * then its pictures and letters have the line, and the reader the processor, for themselves. What is a link, a picture or
 * a text works meanwhile. The style's link stays, for the page's code and the next page, and is called with them; it applies to
 * nothing.
 */
export async function asleep(page: RenderedPage, styleAt: (address: string) => Promise<string>): Promise<RenderedPage> {
  const html = page.html
    .replaceAll('<link rel="modulepreload"', '<link rel="asleep"')
    .replaceAll('<script type="module" ', '<script type="text/asleep" ');
  const address = /<link rel="stylesheet" href="([^"]+)"/.exec(html)?.[1];
  if (address === undefined) return { ...page, html };
  const style = await styleAt(address);
  const link = `<link rel="stylesheet" href="${address}"`;
  return {
    ...page,
    html: html.replace(link, () => `<style>${style}</style><link rel="asleep" href="${address}" media="none"`),
    styles: [style],
  };
}
