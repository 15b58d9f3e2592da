import {
  invertMatrix,
  createMatrix,
  multiplyMatrices,
  multiplyMatrixByVector,
  type Matrix,
  type Vector,
} from './matrix.ts';

/** How a picture's numbers become colors: three primaries, a white point, and the curve from a number to light. */
export type ColorSpace = CurveSpace | HdrSpace;
export interface CurveSpace {
  primaries: Primaries;
  transfer: TransferCurve;
}
/** PQ and HLG describe light brighter than paper white, so they need tone mapping. */
export interface HdrSpace {
  primaries: Primaries;
  transfer: HdrTransfer;
}
export const isHdr = (space: ColorSpace): space is HdrSpace => 'range' in space.transfer;

/** Chromaticities, as x and y. */
export interface Primaries {
  red: Chromaticity;
  green: Chromaticity;
  blue: Chromaticity;
  white: Chromaticity;
}
type Chromaticity = readonly [x: number, y: number];

/**
 * A power function with a straight part near black, in ICC's form: (a * x + b) ^ gamma from `from` on, slope * x below.
 */
export interface TransferCurve {
  gamma: number;
  a: number;
  b: number;
  slope: number;
  from: number;
}
export interface HdrTransfer {
  range: 'pq' | 'hlg';
  /** The brightest light in the picture, in candela per square meter. */
  peakNits: number;
}

const d65 = [0.3127, 0.329] as const;
const bt709: Primaries = { red: [0.64, 0.33], green: [0.3, 0.6], blue: [0.15, 0.06], white: d65 };
const smpte170m: Primaries = { red: [0.63, 0.34], green: [0.31, 0.595], blue: [0.155, 0.07], white: d65 };
export const bt2020Primaries: Primaries = {
  red: [0.708, 0.292],
  green: [0.17, 0.797],
  blue: [0.131, 0.046],
  white: d65,
};

export const createPowerCurve = (gamma: number): TransferCurve => ({ gamma, a: 1, b: 0, slope: 0, from: 0 });
const srgbCurve: TransferCurve = { gamma: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, slope: 1 / 12.92, from: 0.04045 };
/** How a screen shows BT.709 and BT.2020 (ITU-R BT.1886). This is not the inverse of a camera's curve. */
const television = createPowerCurve(2.4);

export const srgbColorSpace: CurveSpace = { primaries: bt709, transfer: srgbCurve };
export const isSrgb = ({ primaries, transfer }: ColorSpace): boolean =>
  primaries === srgbColorSpace.primaries && transfer === srgbColorSpace.transfer;
export const adobeRgbColorSpace: CurveSpace = {
  primaries: { red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: d65 },
  transfer: createPowerCurve(563 / 256),
};

/** Primaries by the code points of ITU-T H.273, which both PNG (cICP) and HEIC (nclx) use. */
const primariesByCode: Readonly<Record<number, Primaries>> = {
  1: bt709,
  4: { red: [0.67, 0.33], green: [0.21, 0.71], blue: [0.14, 0.08], white: [0.31, 0.316] },
  5: { red: [0.64, 0.33], green: [0.29, 0.6], blue: [0.15, 0.06], white: d65 },
  6: smpte170m,
  7: smpte170m,
  8: { red: [0.681, 0.319], green: [0.243, 0.692], blue: [0.145, 0.049], white: [0.31, 0.316] },
  9: bt2020Primaries,
  // The primaries of XYZ.
  10: { red: [1, 0], green: [0, 1], blue: [0, 0], white: [1 / 3, 1 / 3] },
  11: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: [0.314, 0.351] },
  12: { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: d65 },
  22: { red: [0.63, 0.34], green: [0.295, 0.605], blue: [0.155, 0.077], white: d65 },
};
const curveByCode: Readonly<Record<number, TransferCurve>> = {
  1: television,
  4: createPowerCurve(2.2),
  5: createPowerCurve(2.8),
  6: television,
  7: { gamma: 1 / 0.45, a: 1 / 1.1115, b: 0.1115 / 1.1115, slope: 1 / 4, from: 0.0912 },
  8: createPowerCurve(1),
  11: television,
  13: srgbCurve,
  14: television,
  15: television,
  17: { gamma: 2.6, a: (52.37 / 48) ** (1 / 2.6), b: 0, slope: 0, from: 0 },
};
const rangeByCode: Readonly<Record<number, HdrTransfer['range']>> = { 16: 'pq', 18: 'hlg' };
const usualPeakNits = 1000;

/**
 * Returns the color space for these code points of ITU-T H.273. Undefined if a code is unknown or means "unspecified".
 */
export function findColorSpaceOfCodes(
  primariesCode: number,
  transferCode: number,
  peakNits = usualPeakNits,
): ColorSpace | undefined {
  const primaries = primariesByCode[primariesCode];
  const range = rangeByCode[transferCode];
  const curve = curveByCode[transferCode];
  if (!primaries) return undefined;
  if (range) return { primaries, transfer: { range, peakNits } };
  return curve && { primaries, transfer: curve };
}

/**
 * The matrix from linear light of these primaries to XYZ with white point D50, the connection space of ICC profiles. It
 * uses Bradford adaptation.
 */
export function toXyzD50({ red, green, blue, white }: Primaries): Matrix {
  const columns = [convertToXyz(red), convertToXyz(green), convertToXyz(blue)] as const;
  const unscaledMatrix = createMatrix((row, column) => columns[column]![row]!);
  const whiteScale = multiplyMatrixByVector(invertMatrix(unscaledMatrix), convertToXyz(white));
  return multiplyMatrices(
    computeWhiteAdaptation(convertToXyz(white)),
    createMatrix((row, column) => unscaledMatrix[row]![column]! * whiteScale[column]!),
  );
}

/** The matrix from linear light of one set of primaries to linear light of another set. */
export const computeConversionMatrix = (from: Primaries, to: Primaries): Matrix =>
  multiplyMatrices(invertMatrix(toXyzD50(to)), toXyzD50(from));

export const d50WhitePoint: Vector = [0.9642, 1, 0.8249];
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
];

function computeWhiteAdaptation(white: Vector): Matrix {
  const [from, to] = [multiplyMatrixByVector(bradford, white), multiplyMatrixByVector(bradford, d50WhitePoint)];
  const scaledMatrix = createMatrix((row, column) => (bradford[row]![column]! * to[row]!) / from[row]!);
  return multiplyMatrices(invertMatrix(bradford), scaledMatrix);
}

/** Converts a chromaticity to XYZ, with luminance 1 unless y is 0. */
const convertToXyz = ([x, y]: Chromaticity): Vector => (y === 0 ? [x, 0, 1 - x] : [x / y, 1, (1 - x - y) / y]);
