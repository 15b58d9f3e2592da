/** What may disappoint about a photo: said, and never in the way. */
export interface PhotoHint {
  /** On its tile. */
  short: string;
  words: string;
}
/** Of a small copy of the photo, measured in the browser. */
export interface Looks {
  /** Mean brightness, 0 to 1. */
  light: number;
  /** How much neighbours differ, 0 to 1: near 0 where everything is blurred. */
  detail: number;
}

/** Recommended in the specification. */
const goodSide = 1200;
const extremeRatio = 2.6;
const dark = 0.16;
const blurred = 0.012;

/** The one thing about it that matters most comes first. */
export function hintsOf(photo: { width: number; height: number }, looks: Looks | undefined): PhotoHint[] {
  const { width, height } = photo;
  const hints: PhotoHint[] = [];
  if (width < goodSide || height < goodSide)
    hints.push({
      short: 'Small',
      words: `This photo is ${width} x ${height} pixels. From ${goodSide} x ${goodSide} on, videos look their best; is there a larger copy?`,
    });
  if (looks && looks.light < dark)
    hints.push({ short: 'Dark', words: 'This photo is rather dark. A brighter one shows more on the frame.' });
  if (looks && looks.light >= dark && looks.detail < blurred)
    hints.push({ short: 'Blurred?', words: 'This photo looks blurred. Is there a sharper one of that moment?' });
  if (Math.max(width / height, height / width) > extremeRatio)
    hints.push({
      short: 'Long shape',
      words: 'This photo is very long. It is shown whole, with soft borders beside it.',
    });
  return hints;
}

const side = 64;
/** Measure a picture that has been drawn already; undefined where the browser does not let us look. */
export function looksOf(image: HTMLImageElement): Looks | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) return undefined;
  drawing.drawImage(image, 0, 0, side, side);
  return measure(drawing.getImageData(0, 0, side, side).data, side);
}

/** @param pixels RGBA, row by row */
export function measure(pixels: ArrayLike<number>, width: number): Looks {
  const greys = Array.from(
    { length: pixels.length / 4 },
    (_, at) => (0.3 * pixels[4 * at]! + 0.59 * pixels[4 * at + 1]! + 0.11 * pixels[4 * at + 2]!) / 255,
  );
  let [light, detail, neighbours] = [0, 0, 0];
  for (const [at, grey] of greys.entries()) {
    light += grey;
    if (at % width === width - 1) continue;
    detail += Math.abs(grey - greys[at + 1]!);
    neighbours += 1;
  }
  return { light: light / greys.length, detail: detail / neighbours };
}
