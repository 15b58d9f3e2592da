import pictures from 'virtual:made-pictures';

/** A picture art/ made. Its files are /media/<name>-<width>.avif and .webp, and one JPEG, /media/<name>-1200.jpg. */
export interface MadePicture {
  name: string;
  width: number;
  height: number;
  /** Ascending. */
  widths: number[];
  /** Its mean colour, to hold its place. */
  color: string;
}

/** The made picture behind a name (product/front) or an address (/media/product/front-1200.jpg), if it is one. */
export function madePicture(nameOrUrl: string): MadePicture | undefined {
  const name = nameOrUrl.replace(/^\/media\//, '').replace(/(-\d+)?\.(avif|webp|jpe?g|png)$/, '');
  const known = Object.hasOwn(pictures, name) ? pictures[name] : undefined;
  if (!known) return;
  const [width, height, widths, color] = known;
  return { name, width, height, widths, color };
}

export const srcSet = ({ name, widths }: MadePicture, format: 'avif' | 'webp') =>
  widths.map((width) => `/media/${name}-${width}.${format} ${width}w`).join(', ');

/** For whoever takes one file only. */
export const fallbackOf = ({ name }: MadePicture) => `/media/${name}-1200.jpg`;

/** Files that play rather than show (specification 1, /about). */
export const isVideo = (url: string) => /\.(mp4|mov|webm)(\?.*)?$/i.test(url);
