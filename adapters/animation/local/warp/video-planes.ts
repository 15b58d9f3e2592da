/**
 * Video frames in the format of the encoder: brightness for every pixel, then two color values for every block of four
 * (yuv420p, BT.709, limited range).
 */
import type { Box, Size } from '../../../seeing/grid.ts';

/** Converts an RGB color to brightness, blue and red. */
export function convertRgbToYuv(red: number, green: number, blue: number): YuvColor {
  const brightness = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return [
    16 + (219 / 255) * brightness,
    128 + ((224 / 255) * (blue - brightness)) / 1.8556,
    128 + ((224 / 255) * (red - brightness)) / 1.5748,
  ];
}
export type YuvColor = [bright: number, blue: number, red: number];

/** Paints a color over a frame within a box. `partAt` returns the color's opacity at each pixel, 0 to 1. */
export function paintColorInBox(
  planes: Uint8Array,
  { width, height }: Size,
  { left, top, width: across, height: down }: Box,
  [bright, blue, red]: YuvColor,
  partAt: (x: number, y: number) => number,
): void {
  const area = width * height;
  const [right, bottom] = [Math.min(width, left + across), Math.min(height, top + down)];
  for (let y = 2 * Math.floor(Math.max(0, top) / 2); y < bottom; y += 2)
    for (let x = 2 * Math.floor(Math.max(0, left) / 2); x < right; x += 2) {
      let four = 0;
      for (let each = 0; each < 4; each++) {
        const [u, v] = [x + (each & 1), y + (each >> 1)];
        const opacity = partAt(u, v);
        if (opacity <= 0) continue;
        const pixelIndex = v * width + u;
        planes[pixelIndex] = planes[pixelIndex]! + (bright - planes[pixelIndex]!) * opacity + 0.5;
        four += opacity / 4;
      }
      if (four === 0) continue;
      const colorIndex = area + ((y * width) / 2 + x) / 2;
      planes[colorIndex] = planes[colorIndex]! + (blue - planes[colorIndex]!) * four + 0.5;
      planes[colorIndex + area / 4] =
        planes[colorIndex + area / 4]! + (red - planes[colorIndex + area / 4]!) * four + 0.5;
    }
}

/** Converts planes to RGB, for uses other than video. */
export function convertPlanesToRgb(planes: Uint8Array, { width, height }: Size): Uint8ClampedArray {
  const rgb = new Uint8ClampedArray(3 * width * height);
  const area = width * height;
  for (let y = 0, at = 0, to = 0; y < height; y++)
    for (let x = 0, block = area + (y >> 1) * (width >> 1); x < width; x++, at++, to += 3) {
      const brightness = (255 / 219) * (planes[at]! - 16);
      const blue = (255 / 224) * (planes[block + (x >> 1)]! - 128);
      const redDifference = (255 / 224) * (planes[block + (x >> 1) + (area >> 2)]! - 128);
      rgb[to] = brightness + 1.5748 * redDifference;
      rgb[to + 1] = brightness - 0.1873 * blue - 0.4681 * redDifference;
      rgb[to + 2] = brightness + 1.8556 * blue;
    }
  return rgb;
}
