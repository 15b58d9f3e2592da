import { computeConversionMatrix, bt2020Primaries, srgbColorSpace, type HdrSpace } from './color-space.ts';

/** Luminance of paper white in PQ and HLG pictures (ITU-R BT.2408). */
const whiteNits = 203;
/** Peak luminance of HLG's reference screen. */
const hlgScreenNits = 1000;

/**
 * The pixels of a picture: one channel for gray or three for RGB. Transparency adds one more channel, which is ignored.
 */
export interface HdrPixels {
  data: Uint8Array | Uint16Array;
  channels: number;
}

/**
 * Converts a PQ or HLG picture to 8-bit sRGB, for a screen that shows nothing brighter than paper white.
 *
 * The curve is the reference white tone mapping of SMPTE ST 2094-50, which Chromium uses. Light up to paper white is
 * dimmed evenly, by half in a picture with a peak of 1000 nits. Brighter light is compressed so that the peak becomes
 * white. The curve is applied to the largest of the three colors in BT.2020, which preserves hues.
 */
export function toneMapPixels({ data, channels }: HdrPixels, { primaries, transfer }: HdrSpace): Buffer {
  const mostValue = data instanceof Uint16Array ? 65_535 : 255;
  const convertToLight = transfer.range === 'pq' ? computePqLight : computeHlgSceneLight;
  const light = Float64Array.from({ length: mostValue + 1 }, (_, number) => convertToLight(number / mostValue));
  const [second, third] = channels < 3 ? [0, 0] : [1, 2];
  const isHlg = transfer.range === 'hlg';
  const dimLight = createDimming(transfer.peakNits / whiteNits);
  const [[rr, rg, rb], [gr, gg, gb], [br, bg, bb]] = computeConversionMatrix(primaries, bt2020Primaries);
  const [[redR, redG, redB], [greenR, greenG, greenB], [blueR, blueG, blueB]] = computeConversionMatrix(
    bt2020Primaries,
    srgbColorSpace.primaries,
  );
  const shownPixels = Buffer.alloc((data.length / channels) * 3);
  for (let at = 0, to = 0; at < data.length; at += channels, to += 3) {
    const [u, v, w] = [light[data[at]!]!, light[data[at + second]!]!, light[data[at + third]!]!];
    const linearRed = Math.max(0, rr * u + rg * v + rb * w);
    const linearGreen = Math.max(0, gr * u + gg * v + gb * w);
    const blue = Math.max(0, br * u + bg * v + bb * w);
    const hlgGain = isHlg ? computeHlgGain(linearRed, linearGreen, blue) : 1;
    const gain = hlgGain * dimLight(hlgGain * Math.max(linearRed, linearGreen, blue));
    shownPixels[to] = encodeLight(gain * (redR * linearRed + redG * linearGreen + redB * blue));
    shownPixels[to + 1] = encodeLight(gain * (greenR * linearRed + greenG * linearGreen + greenB * blue));
    shownPixels[to + 2] = encodeLight(gain * (blueR * linearRed + blueG * linearGreen + blueB * blue));
  }
  return shownPixels;
}

/** Converts a PQ number from 0 to 1 to light, relative to paper white (SMPTE ST 2084). */
function computePqLight(number: number): number {
  const root = number ** (32 / 2523);
  const linearShare = Math.max(0, root - 3424 / 4096) / (2413 / 128 - (2392 / 128) * root);
  return (linearShare ** (16_384 / 2610) * 10_000) / whiteNits;
}

/** Converts an HLG number from 0 to 1 to scene light from 0 to 1 (ITU-R BT.2100). */
const computeHlgSceneLight = (number: number) =>
  number <= 0.5 ? number ** 2 / 3 : (Math.exp((number - 0.55991073) / 0.17883277) + 0.28466892) / 12;

/** The factor from HLG scene light to screen light, relative to paper white. */
const computeHlgGain = (red: number, green: number, blue: number) =>
  (0.2627 * red + 0.678 * green + 0.0593 * blue) ** 0.2 * (hlgScreenNits / whiteNits);

/**
 * Returns the dimming factor for each light. It is constant up to paper white. Brighter light follows a quadratic
 * Bezier curve that ends at (peak, 1).
 */
function createDimming(peak: number): (light: number) => number {
  if (peak <= 1) return () => 1;
  const whiteLevel = 1 - 0.5 * Math.min(Math.log2(peak) / Math.log2(1000 / whiteNits), 1);
  const [middleX, middleY] = [0.35 + 0.65 / whiteLevel, 0.35 * whiteLevel + 0.65];
  const [square, linear] = [1 - 2 * middleX + peak, 2 * middleX - 2];
  return (light) => {
    if (light <= 1) return whiteLevel;
    if (light >= peak) return 1 / light;
    // The x of the curve at t is 1 + linear * t + square * t^2.
    const curvePosition = (2 * (light - 1)) / (linear + Math.sqrt(linear ** 2 + 4 * square * (light - 1)));
    return (
      ((1 - curvePosition) ** 2 * whiteLevel + 2 * curvePosition * (1 - curvePosition) * middleY + curvePosition ** 2) /
      light
    );
  };
}

/**
 * The number of steps in the table from light to sRGB. Near black, neighboring entries differ by only a twentieth of an
 * 8-bit step.
 */
const encodedSteps = 65_535;
const encodedLight = Uint8Array.from({ length: encodedSteps + 1 }, (_, step) => {
  const light = step / encodedSteps;
  return Math.round(255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055));
});
const encodeLight = (light: number) =>
  encodedLight[Math.max(0, Math.min(encodedSteps, Math.round(light * encodedSteps)))]!;
