import pictures from 'virtual:made-pictures';

/** A picture art/ made, in its widths: /media/<name>-<width>.avif and .webp, and one JPEG, /media/<name>-1200.jpg. */
export interface MadePicture {
  name: string;
  width: number;
  height: number;
  /** Its mean colour, to hold its place. */
  color: string;
  /** For `srcset`. */
  avif: string;
  webp: string;
  /** For whoever takes one file only. */
  fallback: string;
}

const known = new Map<string, MadePicture>();

/** The made picture behind a name (product/front) or an address (/media/product/front-1200.jpg), if it is one. */
export function madePicture(nameOrUrl: string): MadePicture | undefined {
  const picture = known.get(nameOrUrl) ?? findPicture(nameOrUrl);
  if (picture) known.set(nameOrUrl, picture);
  return picture;
}

function findPicture(nameOrUrl: string): MadePicture | undefined {
  const name = nameOrUrl.replace(/^\/media\//, '').replace(/(-\d+)?\.(avif|webp|jpe?g|png)$/, '');
  const found = Object.hasOwn(pictures, name) ? pictures[name] : undefined;
  if (!found) return;
  const [width, height, widths, color] = found;
  const srcSet = (format: string) => widths.map((it) => `/media/${name}-${it}.${format} ${it}w`).join(', ');
  const fallback = `/media/${name}-1200.jpg`;
  return { name, width, height, color, avif: srcSet('avif'), webp: srcSet('webp'), fallback };
}

/** Files that play rather than show (specification 1, /about). */
export const isVideo = (url: string) => /\.(mp4|mov|webm)(\?.*)?$/i.test(url);
