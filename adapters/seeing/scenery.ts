/**
 * Finds sky, water and glowing lights that may move in a landscape. Each result must pass thresholds that were set by
 * looking at pictures. A result that fails is left out, and that part of the picture does not move.
 */
import type { DetectedLight } from '#shop/ports/photo-analyzer.ts';
import {
  boxBlur,
  clamp,
  guidedFilter,
  createGrid,
  computeGrid,
  meanGridValue,
  findConnectedRegions,
  resizeGrid,
  smoothRamp,
  type Grid,
  type Picture,
  type Size,
} from './grid.ts';
import { computeLuminance, resizePicture } from './pixels.ts';

/** How much more red than blue the walls and furniture of rooms have, 0 to 1. */
const beige = { least: 0.04, most: 0.25 };

/** What a white cloud in a blue sky looks like. Colors and fractions are 0 to 1. */
const whiteCloud = {
  /** The difference of blue and red in the sky. In a paler sky, white clouds have no sharp edges. */
  leastSkyBlueness: 0.12,
  /** The brightness of white, and which part of the way from the sky's brightness to it a color without blue has. */
  light: 0.9,
  steepness: 0.5,
  /** The means of a cloud's paleness (0 is as blue as the sky, 1 is gray or white) and brightness. */
  leastPaleness: 0.3,
  leastLight: 0.6,
  /** The part of a cloud's outline that borders on the sky. */
  leastSkyOutline: 0.5,
  /** The number of cells, and of cells per cell of the outline. A cable has fewer. */
  leastCells: 60,
  leastWidth: 1.2,
};

/** Width of the small copy in which regions are found. They are then fitted to the edges of the large picture. */
const gridWidth = 320;

export interface SceneryFeatures extends Size {
  red: Grid;
  green: Grid;
  blue: Grid;
  light: Grid;
  /** The steepest slope of any color, and the slopes of the brightness across and down. */
  edge: Grid;
  along: Grid;
  down: Grid;
}
/** A sky. The matte has the picture's size. `horizon` and `part` are fractions of the picture's height and area. */
export interface Sky {
  matte: Grid;
  horizon: number;
  part: number;
  hasClouds: boolean;
}

export async function computeSceneryFeatures(picture: Picture): Promise<SceneryFeatures | undefined> {
  const size = { width: gridWidth, height: Math.round((picture.height * gridWidth) / picture.width) };
  if (size.height < 48 || size.height > 900 || picture.width < 160) return undefined;
  const smallPicture = await resizePicture(picture, size);
  const [red, green, blue] = [0, 1, 2].map((c) => computeGrid(size, (at) => smallPicture.rgb[3 * at + c]! / 255)) as [
    Grid,
    Grid,
    Grid,
  ];
  const light = computeLuminance(smallPicture);
  const computeSlope = ({ at }: Grid, i: number, step: number) =>
    i - step >= 0 && i + step < at.length ? (at[i + step]! - at[i - step]!) / 2 : 0;
  const isInsideGrid = (at: number) => at % gridWidth > 0 && (at + 1) % gridWidth > 0;
  return {
    ...size,
    red,
    green,
    blue,
    light,
    along: computeGrid(size, (at) => (isInsideGrid(at) ? Math.abs(computeSlope(light, at, 1)) : 0)),
    down: computeGrid(size, (at) => Math.abs(computeSlope(light, at, gridWidth))),
    edge: computeGrid(size, (at) =>
      Math.max(
        ...[red, green, blue].map((c) =>
          Math.hypot(isInsideGrid(at) ? computeSlope(c, at, 1) : 0, computeSlope(c, at, gridWidth)),
        ),
      ),
    ),
  };
}

/**
 * Finds the sky: the area that is connected to the top of the picture without crossing an edge. Tries several
 * thresholds for edges and uses the one that gives the sharpest border.
 */
export function findSky(of: SceneryFeatures, nearness: Grid, picture: Picture): Sky | undefined {
  const { edge, red, blue, light, width, height } = of;
  const softEdges = boxBlur(edge, 1);
  let best = { score: 0, mask: edge, inside: [] as number[] };
  for (let threshold = 0.006; threshold < 0.09; threshold *= 1.25) {
    const { mask, inside } = findCalmAreaFromTop(softEdges, threshold);
    if (inside.length < 0.04 * mask.at.length) continue;
    const score = computeEdgeCrispness(edge, mask, inside);
    if (score > best.score) best = { score, mask, inside };
  }
  if (best.score === 0) return undefined;
  const connectedGrid = findConnectedSky(of, softEdges, best.mask, best.inside);
  const horizon = growSkyDown(of, connectedGrid, 4, 1);
  connectedGrid.at.fill(0, horizon * width);
  const insideIndexes = [...connectedGrid.at.keys()].filter((at) => connectedGrid.at[at]);
  const outsideIndexes = [...connectedGrid.at.keys()].filter((at) => !connectedGrid.at[at]);
  const part = insideIndexes.length / connectedGrid.at.length;
  const listRowIndexes = (y: number) => Array.from({ length: width }, (_, x) => y * width + x);
  const [top, floor] = [
    meanGridValue(connectedGrid, listRowIndexes(3)),
    meanGridValue(connectedGrid, listRowIndexes(height - 2)),
  ];
  const farGrid = resizeGrid(nearness, of);
  const skyDistanceAdvantage = meanGridValue(farGrid, outsideIndexes) - meanGridValue(farGrid, insideIndexes);
  const brightness = meanGridValue(light, insideIndexes);
  const warmth = meanGridValue(red, insideIndexes) - meanGridValue(blue, insideIndexes);
  const isBlue = warmth < -0.03;
  // A wall, a floor or a sofa. The sky at sunset is much warmer.
  const isBeige = warmth > beige.least && warmth < beige.most;
  const calmness = meanGridValue(edge, insideIndexes) / Math.max(1e-6, meanGridValue(edge, outsideIndexes));
  const isClearlyBlue = (isBlue && calmness < 0.2) || (warmth < -0.2 && calmness < 0.25);
  const isTrusted = skyDistanceAdvantage > 0.05 || (isClearlyBlue && top > 0.9);
  const isSky = part >= 0.06 && part <= 0.9 && top >= (isBlue ? 0.6 : 0.8) && floor <= 0.15 && calmness <= 0.33;
  if (!isSky || !isTrusted || isBeige || brightness > 0.95 || (!isBlue && brightness < 0.55)) return undefined;
  const whiteClouds = findWhiteClouds(of, connectedGrid);
  const skyGrid = computeGrid(of, (at) => Math.max(connectedGrid.at[at]!, whiteClouds.at[at]!));
  fillHoles(skyGrid, 60);
  const skyIndexes = [...skyGrid.at.keys()].filter((at) => skyGrid.at[at]);
  // Measures texture of a size whose movement is visible. A sky without it (plain blue, fog) has nothing to move.
  const [close, around] = [boxBlur(light, 1), boxBlur(light, 12)];
  const grain = computeGrid(of, (at) => (close.at[at]! - around.at[at]!) ** 2);
  const cloudTexture = Math.sqrt(
    meanGridValue(
      grain,
      skyIndexes.filter((at) => isFarFromEdge(skyGrid, at, 6)),
    ),
  );
  const largeLuminance = computeLuminance(picture);
  const thinStructures = findThinStructures(largeLuminance);
  const fineMask = guidedFilter(skyGrid, largeLuminance, 5, 0.0008);
  // The details of a white cloud are no cables.
  const cloudFraction = resizeGrid(boxBlur(whiteClouds, 4), picture);
  const matte = computeGrid(picture, (at) => {
    const withoutThinStructures = smoothRamp(0.3, 0.05, thinStructures.at[at]!);
    return fineMask.at[at]! * Math.max(withoutThinStructures, smoothRamp(0.02, 0.3, cloudFraction.at[at]!));
  });
  const lowestRow = Math.floor(skyIndexes[Math.floor(0.97 * skyIndexes.length)]! / width);
  const skyFraction = skyIndexes.length / skyGrid.at.length;
  return { matte, horizon: (lowestRow + 1) / height, part: skyFraction, hasClouds: cloudTexture >= 0.01 };
}

function findCalmAreaFromTop(soft: Grid, threshold: number): { mask: Grid; inside: number[] } {
  const { width } = soft;
  const mask = createGrid(soft);
  const pixelsInside: number[] = [];
  const addPixel = (at: number) => {
    if (at < 0 || at >= mask.at.length || mask.at[at] || soft.at[at]! >= threshold) return;
    mask.at[at] = 1;
    pixelsInside.push(at);
  };
  for (let x = 0; x < width; x++) addPixel(2 * width + x);
  for (let next = 0; next < pixelsInside.length; next++) {
    const pixelIndex = pixelsInside[next]!;
    if (pixelIndex % width > 0) addPixel(pixelIndex - 1);
    if ((pixelIndex + 1) % width > 0) addPixel(pixelIndex + 1);
    addPixel(pixelIndex - width);
    addPixel(pixelIndex + width);
  }
  return { mask, inside: pixelsInside };
}

function computeEdgeCrispness(edge: Grid, mask: Grid, inside: number[]): number {
  const { width, height } = mask;
  let [low, sum, count] = [0, 0, 0];
  for (const index of inside) {
    if (index >= width * (height - 2)) low += 1;
    const x = index % width;
    if (x < 3 || x > width - 4 || index >= width * (height - 3)) continue;
    const stepOutside = [1, -1, width].find((step) => !mask.at[index + step]);
    if (stepOutside === undefined) continue;
    sum += Math.max(
      edge.at[index + stepOutside]!,
      edge.at[index + 2 * stepOutside]!,
      edge.at[index + 3 * stepOutside]!,
    );
    count += 1;
  }
  const crisp = sum / Math.max(1, count) / (meanGridValue(edge, inside) + 0.008);
  return (crisp * Math.sqrt(inside.length / mask.at.length)) / (1 + (8 * low) / width);
}

/**
 * The calm area with connected areas of similar color. Small holes (a bird, a star) are filled, so that they move with
 * the sky.
 */
function findConnectedSky(of: SceneryFeatures, soft: Grid, calm: Grid, inside: number[]): Grid {
  const { width, height } = of;
  const sortedRows = inside.map((at) => Math.floor(at / width)).toSorted((a, b) => a - b);
  const limit = Math.min(height, sortedRows[Math.floor(0.985 * sortedRows.length)]! + 3);
  const colorLikelihood = computeColorLikelihood(of, calm);
  const grownGrid = computeGrid(of, (at) => {
    const likelihood = colorLikelihood.at[at]!;
    return at < limit * width && likelihood > 0.25 && (calm.at[at]! || (likelihood > 0.7 && soft.at[at]! < 0.12))
      ? 1
      : 0;
  });
  for (let at = 0; at < 3 * width; at++) grownGrid.at[at] = grownGrid.at[(at % width) + 3 * width]!;
  const connectedGrid = createGrid(of);
  for (const part of findConnectedRegions(grownGrid))
    if (part.length > 0.1 * inside.length || (part.length > 40 && part.some((at) => at < 4 * width)))
      for (const index of part) connectedGrid.at[index] = 1;
  fillHoles(connectedGrid, 12);
  return connectedGrid;
}

/**
 * Finds white clouds with sharp edges in a blue sky, which the calm area leaves out. Most of a cloud's outline borders
 * on the sky. Snow on a mountain looks the same, but most of its outline borders on the mountain.
 */
function findWhiteClouds({ red, green, blue, light, width, height }: SceneryFeatures, sky: Grid): Grid {
  const clouds = createGrid(sky);
  const skyIndexes = [...sky.at.keys()].filter((at) => sky.at[at]);
  const skyBlueness = meanGridValue(blue, skyIndexes) - meanGridValue(red, skyIndexes);
  if (skyIndexes.length === 0 || skyBlueness < whiteCloud.leastSkyBlueness) return clouds;
  const skyLight = meanGridValue(light, skyIndexes);
  // Between the sky and a cloud, the paler a color is, the lighter it is. Gray rock is as pale, but darker.
  const palenessAt = (at: number) => 1 - (blue.at[at]! - red.at[at]!) / skyBlueness;
  const isCloudColor = (at: number) => {
    const [r, g, b] = [red.at[at]!, green.at[at]!, blue.at[at]!];
    const leastLight = skyLight - 0.1 + whiteCloud.steepness * palenessAt(at) * (whiteCloud.light - skyLight);
    return palenessAt(at) > -0.6 && r - b < 0.04 && g - r > -0.02 && g - b < 0.04 && light.at[at]! > leastLight;
  };
  const candidates = computeGrid(sky, (at) => (!sky.at[at] && isCloudColor(at) ? 1 : 0));
  for (const region of findConnectedRegions(candidates)) {
    if (region.length < whiteCloud.leastCells) continue;
    let [atSky, atOther] = [0, 0];
    for (const at of region)
      for (const step of [1, -1, width, -width]) {
        const [neighbor, x] = [at + step, (at % width) + (Math.abs(step) === 1 ? step : 0)];
        if (neighbor < 0 || neighbor >= width * height || x < 0 || x >= width || candidates.at[neighbor]) continue;
        if (sky.at[neighbor]) atSky += 1;
        else atOther += 1;
      }
    const outline = atSky + atOther;
    const paleness = region.reduce((sum, at) => sum + palenessAt(at), 0) / region.length;
    const isCloud =
      meanGridValue(light, region) >= whiteCloud.leastLight &&
      paleness >= whiteCloud.leastPaleness &&
      region.length >= whiteCloud.leastWidth * outline &&
      atSky >= whiteCloud.leastSkyOutline * outline;
    if (isCloud) for (const at of region) clouds.at[at] = 1;
  }
  return clouds;
}

function fillHoles(mask: Grid, size: number): void {
  for (const hole of findConnectedRegions(computeGrid(mask, (at) => 1 - mask.at[at]!)))
    if (hole.length < size) for (const index of hole) mask.at[index] = 1;
}

/** For each pixel, how likely its color is inside the mask rather than outside it. */
function computeColorLikelihood({ red, green, blue }: SceneryFeatures, mask: Grid): Grid {
  const bins = 14;
  const colorBinAt = (at: number) =>
    [red, green, blue].reduce((sum, c) => sum * bins + Math.min(bins - 1, Math.floor(c.at[at]! * bins)), 0);
  const [inside, outside] = [new Float32Array(bins ** 3), new Float32Array(bins ** 3)];
  mask.at.forEach((part, at) => (part > 0.5 ? inside : outside)[colorBinAt(at)]!++);
  return computeGrid(mask, (at) => inside[colorBinAt(at)]! / (inside[colorBinAt(at)]! + outside[colorBinAt(at)]! + 1));
}

/**
 * Finds the row where the masked area changes color or texture over its whole width. There the sea starts below a sky.
 * Returns the height if there is no such row.
 */
function growSkyDown({ red, green, blue, edge }: SceneryFeatures, mask: Grid, grain: number, until: number): number {
  const { width, height } = mask;
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Array.from({ length: width }, (_unused, x) => y * width + x).filter((at) => mask.at[at]);
    return {
      count: row.length,
      values: [...[red, green, blue].map((c) => meanGridValue(c, row)), grain * meanGridValue(edge, row)],
    };
  });
  const findBand = (from: number) => {
    const denseRows = rows.slice(from, from + 4).filter(({ count }) => count > 0.25 * width);
    return denseRows.length === 4
      ? [0, 1, 2, 3].map((c) => denseRows.reduce((sum, { values }) => sum + values[c]! / 4, 0))
      : undefined;
  };
  let best = { jump: 0.1, y: height };
  for (let y = Math.max(5, Math.round(0.25 * height)); y < until * height - 5; y++) {
    const [above, below] = [findBand(y - 5), findBand(y + 1)];
    if (!above || !below) continue;
    const colorJump = Math.hypot(...above.map((value, c) => value - below[c]!));
    if (colorJump > best.jump) best = { jump: colorJump, y: y - 1 };
  }
  return best.y;
}

/**
 * Finds thin objects such as strings, cables, masts and birds. The small copy misses them, and a cut string is
 * noticeable.
 */
function findThinStructures(light: Grid): Grid {
  const brightnessAround = boxBlur(light, 6);
  return boxBlur(
    computeGrid(light, (at) => smoothRamp(0.02, 0.045, Math.abs(light.at[at]! - brightnessAround.at[at]!))),
    2,
  );
}

function isFarFromEdge({ width, height, at: mask }: Grid, at: number, by: number): boolean {
  const [x, y] = [at % width, Math.floor(at / width)];
  const maskValueAt = (u: number, v: number) => mask[clamp(y + v, 0, height - 1) * width + clamp(x + u, 0, width - 1)];
  return Boolean(maskValueAt(-by, 0) && maskValueAt(by, 0) && maskValueAt(0, -by) && maskValueAt(0, by));
}

/**
 * Finds water: an area below the horizon that has mostly horizontal structures, is cool or colored like the sky, and
 * has a level upper edge. Undefined without a sky.
 */
export function findWater(
  of: SceneryFeatures,
  sky: Sky | undefined,
  picture: Picture,
): { matte: Grid; part: number } | undefined {
  if (!sky) return undefined;
  const { along, down, red, green, blue, light, width, height } = of;
  const skyGrid = resizeGrid(boxBlur(sky.matte, 2), of);
  const standardDeviation = (one: Grid) =>
    boxBlur(
      computeGrid(of, (at) => one.at[at]! ** 2),
      7,
      4,
    );
  const [xx, yy] = [standardDeviation(along), standardDeviation(down)];
  const level = computeGrid(of, (at) => (yy.at[at]! + 2e-6) / (xx.at[at]! + yy.at[at]! + 4e-6));
  const roughness = computeGrid(of, (at) => Math.sqrt(xx.at[at]! + yy.at[at]!));
  const skyIndexes = [...skyGrid.at.keys()].filter((at) => skyGrid.at[at]! > 0.9);
  if (skyIndexes.length === 0) return undefined;
  const [r, g, b] = [red, green, blue].map((c) => boxBlur(c, 2)) as [Grid, Grid, Grid];
  const [skyRed, skyGreen, skyBlue] = [red, green, blue].map((c) => meanGridValue(c, skyIndexes)) as [
    number,
    number,
    number,
  ];
  const skySum = skyRed + skyGreen + skyBlue;
  const skyLikelihood = computeGrid(of, (at) => {
    const sum = r.at[at]! + g.at[at]! + b.at[at]! + 0.05;
    const coolness =
      smoothRamp(-0.01, 0.05, (b.at[at]! - r.at[at]!) / sum) * smoothRamp(-0.06, 0, (b.at[at]! - g.at[at]!) / sum);
    const colorDifference = Math.hypot(r.at[at]! / sum - skyRed / skySum, b.at[at]! / sum - skyBlue / skySum);
    const color = Math.max(coolness, smoothRamp(0.09, 0.04, colorDifference));
    return (
      color * smoothRamp(0.4, 0.62, level.at[at]!) * smoothRamp(0.12, 0.06, roughness.at[at]!) * (1 - skyGrid.at[at]!)
    );
  });
  const rows = skyIndexes.map((at) => Math.floor(at / width)).toSorted((p, q) => p - q);
  const horizon = rows[Math.floor(0.9 * rows.length)]! - 3;
  const calmedLikelihood = boxBlur(skyLikelihood, 2, 1);
  const waterMask = computeGrid(of, (at) =>
    Math.floor(at / width) > horizon && calmedLikelihood.at[at]! > 0.45 ? 1 : 0,
  );
  const shore = growSkyDown(of, waterMask, 14, 0.7);
  if (shore < height) waterMask.at.fill(0, 0, (shore + 1) * width);
  const parts = findConnectedRegions(waterMask);
  const largestPart = parts[0]?.length ?? 0;
  if (largestPart < 0.025 * light.at.length) return undefined;
  const connectedGrid = createGrid(of);
  for (const part of parts) if (part.length > 0.12 * largestPart) for (const index of part) connectedGrid.at[index] = 1;
  fillHoles(connectedGrid, 60);
  const tops: number[] = [];
  for (let x = 0; x < width; x++) {
    let y = 0;
    while (y < height && !connectedGrid.at[y * width + x]) y += 1;
    if (y < height) tops.push(y);
  }
  tops.sort((p, q) => p - q);
  const skylineUnevenness = (tops[Math.floor(0.75 * tops.length)]! - tops[Math.floor(0.25 * tops.length)]!) / height;
  const insideIndexes = [...connectedGrid.at.keys()].filter((at) => connectedGrid.at[at]);
  const isWater =
    tops.length >= 0.4 * width && skylineUnevenness <= 0.045 && meanGridValue(level, insideIndexes) >= 0.6;
  if (!isWater || meanGridValue(blue, insideIndexes) < meanGridValue(red, insideIndexes)) return undefined;
  return {
    matte: guidedFilter(connectedGrid, computeLuminance(picture), 3, 0.002),
    part: insideIndexes.length / connectedGrid.at.length,
  };
}

/**
 * Finds glows: places that are small, nearly white, surrounded by warm color, and the brightest in their surroundings.
 */
export function findGlows({ red, blue, light, width, height }: SceneryFeatures): DetectedLight[] {
  const brightMask = computeGrid(light, (at) => (red.at[at]! > 0.97 && light.at[at]! > 0.84 ? 1 : 0));
  const glows: DetectedLight[] = [];
  for (const part of findConnectedRegions(brightMask).slice(0, 60)) {
    if (part.length < 3 || part.length > 0.012 * light.at.length) continue;
    const [xs, ys] = [part.map((at) => at % width), part.map((at) => Math.floor(at / width))];
    const [left, right, top, low] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const [x, y] = [(left + right) / 2, (top + low) / 2];
    const radius = Math.sqrt(part.length / Math.PI);
    const cellsAtDistance = (from: number, to: number): number[] => {
      const foundCells: number[] = [];
      for (let v = Math.max(0, Math.floor(y - to)); v <= Math.min(height - 1, y + to); v++)
        for (let u = Math.max(0, Math.floor(x - to)); u <= Math.min(width - 1, x + to); u++) {
          const distance = Math.hypot(u - x, v - y);
          if (distance >= from && distance <= to && !brightMask.at[v * width + u]) foundCells.push(v * width + u);
        }
      return foundCells;
    };
    const nearRing = cellsAtDistance(radius, 2.2 * radius + 2);
    const farRing = cellsAtDistance(3 * radius + 3, 6 * radius + 8).filter((at) => at < y * width);
    const warmthDifference = meanGridValue(red, nearRing) - meanGridValue(blue, nearRing);
    const brightnessFall = meanGridValue(light, nearRing) - meanGridValue(light, farRing);
    const warmthContrast = warmthDifference - meanGridValue(red, farRing) + meanGridValue(blue, farRing);
    const isSolid = part.length / ((right - left + 1) * (low - top + 1)) >= 0.3;
    const isGlow =
      radius >= 1.6 &&
      warmthDifference >= 0.2 &&
      warmthContrast >= 0.13 &&
      warmthDifference + brightnessFall + warmthContrast >= 0.6;
    if (!isGlow || !isSolid || meanGridValue(light, farRing) > 0.5) continue;
    const isFlame = warmthDifference > 0.45 || (radius > 3 && meanGridValue(light, farRing) < 0.25);
    glows.push({ x: (x + 0.5) / width, y: (y + 0.5) / height, radius: radius / width, isFlame });
  }
  return glows.slice(0, 12);
}
