import type { Grid } from '../../seeing/grid.ts';

/** Connected marks in a picture, by their pixel indexes, and the box around them. */
export interface Blob {
  pixels: number[];
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/**
 * Returns the groups of pixels that touch each other, also diagonally, and whose values match.
 *
 * @param matches whether the value of a pixel belongs to a group
 */
export function findBlobs(
  { width, height, at: values }: Grid,
  matches: (value: number, at: number) => boolean,
): Blob[] {
  const visitedPixels = new Uint8Array(values.length);
  const blobs: Blob[] = [];
  for (let start = 0; start < values.length; start++) {
    if (visitedPixels[start] || !matches(values[start]!, start)) continue;
    const blob: Blob = { pixels: [start], left: width, top: height, right: 0, bottom: 0 };
    visitedPixels[start] = 1;
    // The list grows while the loop runs.
    for (const pixelIndex of blob.pixels) {
      const [x, y] = [pixelIndex % width, Math.floor(pixelIndex / width)];
      blob.left = Math.min(blob.left, x);
      blob.right = Math.max(blob.right, x);
      blob.top = Math.min(blob.top, y);
      blob.bottom = Math.max(blob.bottom, y);
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const at = v * width + u;
          if (visitedPixels[at] || !matches(values[at]!, at)) continue;
          visitedPixels[at] = 1;
          blob.pixels.push(at);
        }
    }
    blobs.push(blob);
  }
  return blobs;
}
