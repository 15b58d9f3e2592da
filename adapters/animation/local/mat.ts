/** The paper mat with a beveled edge around a photo that does not fill the video. */
import { clamp, smoothRamp, type Box, type Size } from '../../seeing/grid.ts';

/** A photo darker than this, 0 to 1, gets a dark mat, because light paper would be brighter than the photo. */
const maxDarkPhotoBrightness = 0.22;
/** Light and dark paper, and how strongly the photo's color tints it. */
const paper = { light: [243, 239, 231], dark: [46, 43, 41] } as const;
const tint = { light: 0.1, dark: 0.16 };
/** Width of the beveled edge as a fraction of the plate's height, and the soft shadow on the paper around it. */
const bevelShare = 0.0065;
const shadow = { reach: 0.03, darkness: 0.1 };
/** Brightness of each side of the bevel, relative to the mat's core. Light comes from the upper left. */
const bevelLight = { top: 0.84, left: 0.9, right: 1, bottom: 1.02 };
const matCoreColor = [250, 248, 243] as const;

/**
 * Fills an RGBA plate around one or two photos with the mat. The pixels of the photos, in the `windows`, do not change.
 *
 * @param pictures RGB of the photos, with the sizes of their windows
 */
export function drawMat(
  pixels: Uint8Array,
  size: Size,
  windows: readonly Box[],
  pictures: readonly ArrayLike<number>[],
): void {
  const color = chooseMatColor(pictures);
  const bevel = Math.max(2, Math.round(bevelShare * size.height));
  const shadowReach = shadow.reach * size.height;
  for (let y = 0; y < size.height; y++)
    for (let x = 0; x < size.width; x++) {
      const { away, beyond } = findNearestWindow(windows, x, y);
      if (beyond <= 0) continue;
      const pixelIndex = 4 * (y * size.width + x);
      pixels[pixelIndex + 3] = 255;
      if (beyond <= bevel) {
        // Mitered corners: the side that is farthest out decides the brightness.
        const light =
          beyond === away.top
            ? bevelLight.top
            : beyond === away.left
              ? bevelLight.left
              : beyond === away.right
                ? bevelLight.right
                : bevelLight.bottom;
        for (let c = 0; c < 3; c++) pixels[pixelIndex + c] = clamp(matCoreColor[c]! * light, 0, 255);
        continue;
      }
      const horizontalDistance = Math.max(away.left, away.right, 0);
      const verticalDistance = Math.max(away.top, away.bottom, 0);
      const shadowOpacity =
        shadow.darkness * (1 - smoothRamp(0, shadowReach, Math.hypot(horizontalDistance, verticalDistance) - bevel));
      for (let c = 0; c < 3; c++) pixels[pixelIndex + c] = color[c]! * (1 - shadowOpacity) + 0.5;
    }
}

interface WindowDistance {
  /** How far the pixel is beyond each side of the window, in pixels. Negative inside of that side. */
  away: { left: number; right: number; top: number; bottom: number };
  /** The largest of these distances. At most 0 in the window. */
  beyond: number;
}

function findNearestWindow(windows: readonly Box[], x: number, y: number): WindowDistance {
  let nearest: WindowDistance | undefined;
  for (const { left, top, width, height } of windows) {
    const distancesToEdges = {
      left: left - x,
      right: x - (left + width) + 1,
      top: top - y,
      bottom: y - (top + height) + 1,
    };
    const distanceBeyond = Math.max(
      distancesToEdges.left,
      distancesToEdges.right,
      distancesToEdges.top,
      distancesToEdges.bottom,
    );
    if (!nearest || distanceBeyond < nearest.beyond) nearest = { away: distancesToEdges, beyond: distanceBeyond };
  }
  return nearest!;
}

/** The color of the paper: light, or dark for a dark photo, slightly tinted with the photos' colors. */
function chooseMatColor(pictures: readonly ArrayLike<number>[]): [number, number, number] {
  const sums = [0, 0, 0];
  let count = 0;
  for (const picture of pictures)
    for (let at = 0; at + 2 < picture.length; at += 3 * 37, count++)
      for (let c = 0; c < 3; c++) sums[c]! += picture[at + c]!;
  const meanColor = sums.map((sum) => sum / Math.max(1, count));
  const brightness = (0.3 * meanColor[0]! + 0.59 * meanColor[1]! + 0.11 * meanColor[2]!) / 255;
  const paperTone = brightness < maxDarkPhotoBrightness ? 'dark' : 'light';
  const gray = Math.max(1, 255 * brightness);
  return [0, 1, 2].map((c) => {
    const channelTint = clamp(meanColor[c]! / gray, 0.5, 1.6);
    return clamp(paper[paperTone][c]! * (1 + tint[paperTone] * (channelTint - 1)), 0, 250);
  }) as [number, number, number];
}
