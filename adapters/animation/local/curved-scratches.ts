import type { Grid } from '../../seeing/grid.ts';
import { findBlobs, type Blob } from './mark-blobs.ts';

/** Minimum length of a curved scratch, as a fraction of the height. A shorter one looks like hair or grass. */
const minScratchLength = 0.08;
/** A scratch is at most this wide on average, in pixels. */
const maxScratchWidth = 7;
/** How far the photo must be free of other marks on both sides of a scratch, in pixels. */
const sideDistances = [8, 12];
/** The largest fraction of a scratch that may have other marks at its sides, 0 to 1. */
const mostWithNeighbors = 0.3;
/** A mark at a side of a scratch counts only if it has this fraction of the scratch's mean strength. */
const leastStrengthAtSide = 0.6;
/** In pixels around each mark of a scratch that are repaired. */
const repairReach = 2;

/**
 * Marks curved scratches and folds for repair: long and thin groups of marks without other marks at their sides.
 * Groups of hair, grass or leaves have other marks at their sides.
 *
 * @param repairMask 255 where the photo is repaired. Marks that are already repaired are left out.
 * @param isDamage whether a mark can be part of a scratch
 */
export function markCurvedScratches(repairMask: Uint8Array, marks: Grid, isDamage: (step: number) => boolean): void {
  const { width, height } = marks;
  const blobs = findBlobs(marks, (step, at) => repairMask[at] === 0 && isDamage(step));
  for (const blob of blobs) {
    const length = Math.hypot(blob.right - blob.left, blob.bottom - blob.top);
    if (length < minScratchLength * height || blob.pixels.length > maxScratchWidth * length) continue;
    if (shareWithNeighbors(blob) > mostWithNeighbors) continue;
    for (const pixelIndex of blob.pixels) markAround(pixelIndex);
  }

  /** The fraction of the blob's pixels with a mark of another group at one of their sides. */
  function shareWithNeighbors({ pixels }: Blob): number {
    const own = new Set(pixels);
    const strength = pixels.reduce((sum, place) => sum + Math.abs(marks.at[place]!), 0) / pixels.length;
    const isStrong = (step: number) => isDamage(step) && Math.abs(step) >= leastStrengthAtSide * strength;
    const withNeighbors = pixels.filter((place) => {
      const [x, y] = [place % width, Math.floor(place / width)];
      return directions.some(([across, down]) =>
        sideDistances.some((distance) => {
          const [u, v] = [Math.round(x + across * distance), Math.round(y + down * distance)];
          if (u < 0 || v < 0 || u >= width || v >= height) return false;
          const at = v * width + u;
          return isStrong(marks.at[at]!) && !own.has(at) && repairMask[at] === 0;
        }),
      );
    });
    return withNeighbors.length / pixels.length;
  }
  function markAround(place: number): void {
    const [x, y] = [place % width, Math.floor(place / width)];
    for (let v = Math.max(0, y - repairReach); v <= Math.min(height - 1, y + repairReach); v++)
      for (let u = Math.max(0, x - repairReach); u <= Math.min(width - 1, x + repairReach); u++)
        repairMask[v * width + u] = 255;
  }
}
const directions = Array.from({ length: 8 }, (_, turn) => {
  const angle = (turn * Math.PI) / 4;
  return [Math.cos(angle), Math.sin(angle)] as const;
});
