/** Pictures in the encoder's format (warp/video-planes.ts), as three separate planes. */
import { clamp, type Box, type Size } from '../../../seeing/grid.ts';

export interface Planes extends Size {
  /** Brightness, blue and red. The color planes have half the width and height. */
  planes: [Uint8Array, Uint8Array, Uint8Array];
}

export const computePictureBytes = ({ width, height }: Size): number => (width * height * 3) / 2;
const computePlaneLength = (plane: number, length: number) => (plane === 0 ? length : length / 2);

/** The planes of an encoded picture. They share its memory. */
export function splitIntoPlanes(bytes: Uint8Array, { width, height }: Size): Planes {
  const area = width * height;
  const planes = [
    bytes.subarray(0, area),
    bytes.subarray(area, area + area / 4),
    bytes.subarray(area + area / 4, area + area / 2),
  ] as Planes['planes'];
  return { width, height, planes };
}

/** Copies a box of a picture. All sides of the box are even. */
export function copyBox(from: Planes, box: Box): Planes {
  const copy = splitIntoPlanes(new Uint8Array(computePictureBytes(box)), box);
  for (const [index, plane] of copy.planes.entries()) {
    const [width, height] = [computePlaneLength(index, box.width), computePlaneLength(index, box.height)];
    const [left, top] = [computePlaneLength(index, box.left), computePlaneLength(index, box.top)];
    for (let y = 0; y < height; y++) {
      const start = (top + y) * computePlaneLength(index, from.width) + left;
      plane.set(from.planes[index]!.subarray(start, start + width), y * width);
    }
  }
  return copy;
}

/** For one axis: the position in a picture that the first edge shows, and the distance to the next pixel. */
export interface Sampling {
  start: number;
  step: number;
}

/** Enlarges, reduces and moves a picture. Beyond its edges, the pixels at the edges repeat. */
export function resample(from: Planes, to: Size, x: Sampling, y: Sampling): Planes {
  const resampledPlanes = splitIntoPlanes(new Uint8Array(computePictureBytes(to)), to);
  for (const [index, plane] of resampledPlanes.planes.entries()) {
    const source = from.planes[index]!;
    const [width, height] = [computePlaneLength(index, from.width), computePlaneLength(index, from.height)];
    const columns = computeSamplePositions(
      computePlaneLength(index, to.width),
      width,
      computePlaneLength(index, x.start),
      x.step,
    );
    const rows = computeSamplePositions(
      computePlaneLength(index, to.height),
      height,
      computePlaneLength(index, y.start),
      y.step,
    );
    for (let row = 0, at = 0; row < rows.first.length; row++) {
      const [above, below, down] = [rows.first[row]! * width, rows.second[row]! * width, rows.part[row]!];
      for (let column = 0; column < columns.first.length; column++, at++) {
        const [first, second, right] = [columns.first[column]!, columns.second[column]!, columns.part[column]!];
        const upperRowValue = source[above + first]! * (256 - right) + source[above + second]! * right;
        const lowerRowValue = source[below + first]! * (256 - right) + source[below + second]! * right;
        plane[at] = (upperRowValue * (256 - down) + lowerRowValue * down + 32768) >> 16;
      }
    }
  }
  return resampledPlanes;
}

/** For each pixel: the two pixels of the source it is between, and the share of the second one, in 1/256. */
function computeSamplePositions(count: number, length: number, start: number, step: number) {
  const [first, second, part] = [new Int32Array(count), new Int32Array(count), new Int32Array(count)];
  for (let i = 0; i < count; i++) {
    const position = clamp(start + (i + 0.5) * step - 0.5, 0, length - 1);
    first[i] = Math.floor(position);
    second[i] = Math.min(length - 1, first[i]! + 1);
    part[i] = Math.round((position - first[i]!) * 256);
  }
  return { first, second, part };
}

/** Mixes two pictures into a box of their size in a third one. `part` is the share of `b`, 0 to 1. */
export function blendPictures(onto: Planes, box: Box, a: Planes, b: Planes, part: number): void {
  const weight = Math.round(part * 256);
  for (const [index, plane] of onto.planes.entries()) {
    const [width, height] = [computePlaneLength(index, box.width), computePlaneLength(index, box.height)];
    const [left, top] = [computePlaneLength(index, box.left), computePlaneLength(index, box.top)];
    const [first, second] = [a.planes[index]!, b.planes[index]!];
    for (let y = 0; y < height; y++) {
      const row = y * width;
      const targetIndex = (top + y) * computePlaneLength(index, onto.width) + left;
      if (weight === 256) plane.set(second.subarray(row, row + width), targetIndex);
      else
        for (let x = 0; x < width; x++)
          plane[targetIndex + x] = (first[row + x]! * (256 - weight) + second[row + x]! * weight + 128) >> 8;
    }
  }
}
