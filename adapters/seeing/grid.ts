/** Pictures, and grids (maps of numbers, stored row by row), for detection and drawing. */
export interface Size {
  width: number;
  height: number;
}
export interface Box extends Size {
  left: number;
  top: number;
}
export interface Grid extends Size {
  at: Float32Array;
}
export interface Picture extends Size {
  /** Red, green, blue, red … */
  rgb: Uint8Array;
}

/** Size of the map of nearness that `cutOutPhotoParts` writes. */
export const nearnessSize: Size = { width: 224, height: 224 };

export const clamp = (value: number, least = 0, most = 1): number =>
  value < least ? least : value > most ? most : value;

/**
 * A smooth step: 0 at `from` and 1 at `to`, with slope 0 at both ends. It falls from left to right if `to` is smaller.
 */
export function smoothRamp(from: number, to: number, value: number): number {
  const fraction = clamp((value - from) / (to - from));
  return fraction * fraction * (3 - 2 * fraction);
}

export const createGrid = ({ width, height }: Size, at = new Float32Array(width * height)): Grid => ({
  width,
  height,
  at,
});

export function computeGrid(size: Size, value: (at: number) => number): Grid {
  const grid = createGrid(size);
  for (let at = 0; at < grid.at.length; at++) grid.at[at] = value(at);
  return grid;
}

export const gridToBytes = ({ at }: Grid): Uint8Array => Uint8Array.from(at, (value) => 255 * clamp(value) + 0.5);

export function meanGridValue({ at }: Grid, places: Iterable<number> = at.keys()): number {
  let [sum, count] = [0, 0];
  for (const position of places) {
    sum += at[position]!;
    count += 1;
  }
  return count > 0 ? sum / count : 0;
}

/**
 * Blurs a grid: each value becomes the mean over (2 * across + 1) by (2 * down + 1) values. Beyond the edges, the
 * values at the edges repeat.
 */
export function boxBlur({ width, height, at }: Grid, across: number, down = across): Grid {
  const rows = new Float32Array(at.length);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let sum = 0;
    for (let x = -across; x <= across; x++) sum += at[row + clamp(x, 0, width - 1)]!;
    for (let x = 0; x < width; x++) {
      rows[row + x] = sum / (2 * across + 1);
      sum += at[row + Math.min(width - 1, x + across + 1)]! - at[row + Math.max(0, x - across)]!;
    }
  }
  const blurredValues = new Float32Array(at.length);
  const sums = new Float32Array(width);
  for (let y = -down; y <= down; y++)
    for (let x = 0, row = clamp(y, 0, height - 1) * width; x < width; x++) sums[x]! += rows[row + x]!;
  for (let y = 0; y < height; y++) {
    const [entering, leaving] = [Math.min(height - 1, y + down + 1) * width, Math.max(0, y - down) * width];
    for (let x = 0; x < width; x++) {
      blurredValues[y * width + x] = sums[x]! / (2 * down + 1);
      sums[x]! += rows[entering + x]! - rows[leaving + x]!;
    }
  }
  return { width, height, at: blurredValues };
}

/** Resizes a grid by bilinear interpolation between the centers of its values. */
export function resizeGrid(from: Grid, { width, height }: Size): Grid {
  const resizedGrid = createGrid({ width, height });
  const columns = Array.from({ length: width }, (_, x) => {
    const u = clamp(((x + 0.5) * from.width) / width - 0.5, 0, from.width - 1);
    const left = Math.max(0, Math.min(from.width - 2, Math.floor(u)));
    return { left, right: Math.min(from.width - 1, left + 1), part: u - left };
  });
  for (let y = 0; y < height; y++) {
    const v = clamp(((y + 0.5) * from.height) / height - 0.5, 0, from.height - 1);
    const top = Math.max(0, Math.min(from.height - 2, Math.floor(v)));
    const [above, below, part] = [top * from.width, Math.min(from.height - 1, top + 1) * from.width, v - top];
    for (let x = 0; x < width; x++) {
      const column = columns[x]!;
      const upperRowValue =
        from.at[above + column.left]! * (1 - column.part) + from.at[above + column.right]! * column.part;
      const lowerRowValue =
        from.at[below + column.left]! * (1 - column.part) + from.at[below + column.right]! * column.part;
      resizedGrid.at[y * width + x] = upperRowValue + (lowerRowValue - upperRowValue) * part;
    }
  }
  return resizedGrid;
}

/**
 * Fits a coarse mask to the edges of the picture. Uses the guided filter of He, Sun and Tang, computed at half the size
 * and applied at full size.
 */
export function guidedFilter(mask: Grid, light: Grid, radius: number, slack: number): Grid {
  const smallSize = { width: Math.max(1, light.width >> 1), height: Math.max(1, light.height >> 1) };
  const [guide, coarse] = [resizeGrid(light, smallSize), resizeGrid(mask, smallSize)];
  const [meanGuide, meanMask] = [boxBlur(guide, radius), boxBlur(coarse, radius)];
  const blurredProduct = boxBlur(
    computeGrid(smallSize, (at) => guide.at[at]! * coarse.at[at]!),
    radius,
  );
  const square = boxBlur(
    computeGrid(smallSize, (at) => guide.at[at]! ** 2),
    radius,
  );
  const slope = computeGrid(
    smallSize,
    (at) =>
      (blurredProduct.at[at]! - meanGuide.at[at]! * meanMask.at[at]!) /
      (square.at[at]! - meanGuide.at[at]! ** 2 + slack),
  );
  const base = computeGrid(smallSize, (at) => meanMask.at[at]! - slope.at[at]! * meanGuide.at[at]!);
  const [steep, low] = [resizeGrid(boxBlur(slope, radius), light), resizeGrid(boxBlur(base, radius), light)];
  return computeGrid(light, (at) => smoothRamp(0.2, 0.85, steep.at[at]! * light.at[at]! + low.at[at]!));
}

/** The connected regions with values above 0.5, largest first, each as a list of indexes. */
export function findConnectedRegions({ width, at }: Grid): number[][] {
  const visitedCells = new Uint8Array(at.length);
  const foundParts: number[][] = [];
  for (let start = 0; start < at.length; start++) {
    if (visitedCells[start] || at[start]! <= 0.5) continue;
    const regionCells = [start];
    visitedCells[start] = 1;
    for (let next = 0; next < regionCells.length; next++) {
      const currentCell = regionCells[next]!;
      const x = currentCell % width;
      for (const neighborCell of [
        x > 0 ? currentCell - 1 : -1,
        x < width - 1 ? currentCell + 1 : -1,
        currentCell - width,
        currentCell + width,
      ])
        if (neighborCell >= 0 && neighborCell < at.length && !visitedCells[neighborCell] && at[neighborCell]! > 0.5) {
          visitedCells[neighborCell] = 1;
          regionCells.push(neighborCell);
        }
    }
    foundParts.push(regionCells);
  }
  return foundParts.toSorted((one, other) => other.length - one.length);
}

export function boundingBox(boxes: Box[]): Box {
  const left = Math.min(...boxes.map((it) => it.left));
  const top = Math.min(...boxes.map((it) => it.top));
  const right = Math.max(...boxes.map((it) => it.left + it.width));
  const bottom = Math.max(...boxes.map((it) => it.top + it.height));
  return { left, top, width: right - left, height: bottom - top };
}

/** Converts a box in fractions of a picture to the picture's pixels. */
export const boxInPixels = ({ left, top, width, height }: Box, picture: Size): Box => ({
  left: left * picture.width,
  top: top * picture.height,
  width: width * picture.width,
  height: height * picture.height,
});

export const scaleBox = ({ left, top, width, height }: Box, by: number): Box => ({
  left: left * by,
  top: top * by,
  width: width * by,
  height: height * by,
});
