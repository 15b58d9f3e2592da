import pictures from 'virtual:generated-pictures';

/**
 * A picture that the scripts in art/ made. Its files are /media/<name>-<width>.avif and .webp in several widths, and
 * /media/<name>-1200.jpg.
 */
export interface GeneratedPicture {
  name: string;
  width: number;
  height: number;
  /** Its average color, shown while the picture loads. */
  color: string;
  /** For `srcset`. */
  avif: string;
  webp: string;
  /** One file, for `src` and other places that do not accept a srcset. */
  fallback: string;
}

const knownPictures = new Map<string, GeneratedPicture>();

/**
 * Finds a picture by its name (product/front) or its address (/media/product/front-1200.jpg). Undefined if the scripts
 * in art/ did not make it.
 */
export function findGeneratedPicture(nameOrUrl: string): GeneratedPicture | undefined {
  const picture = knownPictures.get(nameOrUrl) ?? findPicture(nameOrUrl);
  if (picture) knownPictures.set(nameOrUrl, picture);
  return picture;
}

function findPicture(nameOrUrl: string): GeneratedPicture | undefined {
  const name = nameOrUrl.replace(/^\/media\//, '').replace(/(-\d+)?\.(avif|webp|jpe?g|png)$/, '');
  const foundPicture = Object.hasOwn(pictures, name) ? pictures[name] : undefined;
  if (!foundPicture) return;
  const [width, height, widths, color] = foundPicture;
  const createSrcSet = (format: string) => widths.map((it) => `/media/${name}-${it}.${format} ${it}w`).join(', ');
  const fallback = `/media/${name}-1200.jpg`;
  return { name, width, height, color, avif: createSrcSet('avif'), webp: createSrcSet('webp'), fallback };
}

/** Whether the address is a video and not a picture (specification 1, /about). */
export const isVideo = (url: string) => /\.(mp4|mov|webm)(\?.*)?$/i.test(url);
