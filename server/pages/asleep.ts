/**
 * A page whose code is fetched only when `web/shell/before-awake.tsx` calls it: until then its pictures and letters have
 * the line, and the reader the processor, for themselves. What is a link, a picture or a text works meanwhile.
 */
export const asleep = (html: string): string =>
  html
    .replaceAll('<link rel="modulepreload"', '<link rel="asleep"')
    .replaceAll('<script type="module" ', '<script type="text/asleep" ');
