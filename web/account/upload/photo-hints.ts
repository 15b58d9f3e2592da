import { framePanelSize } from '#contract/motion.ts';

/** A possible problem with a photo. It is shown but blocks nothing. */
export interface PhotoHint {
  /** The text on the photo's tile. */
  short: string;
  words: string;
}
/** Measurements of a photo. The browser makes them on a small copy of the photo. */
export interface PhotoMeasurements {
  /** Mean brightness, 0 to 1. */
  light: number;
  /** Mean difference between neighboring pixels, 0 to 1. Near 0 if the photo is blurred. */
  detail: number;
}

const extremeRatio = 2.6;
const darkLimit = 0.16;
const blurredLimit = 0.012;

/** Returns the hints, the most important one first. */
export function listPhotoHints(
  photo: { width: number; height: number },
  looks: PhotoMeasurements | undefined,
): PhotoHint[] {
  const { width, height } = photo;
  const hints: PhotoHint[] = [];
  const lowResolutionHint = lowResolutionText(photo);
  if (lowResolutionHint !== undefined)
    hints.push({ short: 'Small', words: `${lowResolutionHint} Do you have a larger copy?` });
  if (looks && looks.light < darkLimit)
    hints.push({ short: 'Dark', words: 'This photo is a little dark. A brighter one looks better on the frame.' });
  if (looks && looks.light >= darkLimit && looks.detail < blurredLimit)
    hints.push({ short: 'Blurry?', words: 'This photo looks blurry. Do you have a sharper one of that moment?' });
  if (isLong(width, height))
    hints.push({
      short: 'Long shape',
      words:
        'This photo is much wider or taller than your frame. We’ll show all of it, with a paper-style mat around it.',
    });
  return hints;
}

/** A text for a photo, or a crop of one, that has fewer pixels than the frame's panel shows. */
export const lowResolutionText = ({ width, height }: { width: number; height: number }): string | undefined =>
  isSmallerThanPanel(width, height)
    ? `This photo is small and may look soft on the frame. It’s ${width} x ${height} pixels. The frame's screen shows ${framePanelSize.width} x ${framePanelSize.height}.`
    : undefined;

/**
 * Returns true if the photo must be enlarged for the frame's panel. A photo fills the panel. An upright photo fills
 * half of it. A very long photo is shown whole.
 */
function isSmallerThanPanel(width: number, height: number): boolean {
  const horizontalScale = framePanelSize.width / width;
  const verticalScale = framePanelSize.height / height;
  if (isLong(width, height)) return Math.min(horizontalScale, verticalScale) > 1;
  return Math.max(width < height ? horizontalScale / 2 : horizontalScale, verticalScale) > 1;
}
const isLong = (width: number, height: number) => Math.max(width / height, height / width) > extremeRatio;

const sampleSide = 64;
/** Measures a loaded picture. Undefined if the browser provides no canvas. */
export function measureImage(image: HTMLImageElement): PhotoMeasurements | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = sampleSide;
  canvas.height = sampleSide;
  const canvasContext = canvas.getContext('2d', { willReadFrequently: true });
  if (!canvasContext) return undefined;
  canvasContext.drawImage(image, 0, 0, sampleSide, sampleSide);
  return measurePixels(canvasContext.getImageData(0, 0, sampleSide, sampleSide).data, sampleSide);
}

/** @param pixels RGBA, row by row */
export function measurePixels(pixels: ArrayLike<number>, width: number): PhotoMeasurements {
  const grayValues = Array.from(
    { length: pixels.length / 4 },
    (_, at) => (0.3 * pixels[4 * at]! + 0.59 * pixels[4 * at + 1]! + 0.11 * pixels[4 * at + 2]!) / 255,
  );
  let [light, detail, neighbors] = [0, 0, 0];
  for (const [at, grey] of grayValues.entries()) {
    light += grey;
    if (at % width === width - 1) continue;
    detail += Math.abs(grey - grayValues[at + 1]!);
    neighbors += 1;
  }
  return { light: light / grayValues.length, detail: detail / neighbors };
}
