/** Reads how long each picture of an animation is shown, without decoding the pictures. */

/** A delay of a picture in seconds. Browsers show a picture with a very short delay for a tenth of a second. */
const normalizeDelay = (seconds: number) => (seconds < 0.02 ? 0.1 : seconds);

/** Fewer or slower pictures are a slide show. */
const leastAnimation = { pictures: 6, seconds: 0.4 };
const longestDelay = 0.25;

/** Whether pictures with these delays show a motion. */
export function isMotion(delays: readonly number[]): boolean {
  const seconds = delays.reduce((sum, delay) => sum + delay, 0);
  return (
    delays.length >= leastAnimation.pictures &&
    seconds >= leastAnimation.seconds &&
    seconds / delays.length <= longestDelay
  );
}

/** The delays of the pictures that are complete in the file, in seconds. */
export const readAnimationDelays = (bytes: Buffer, mime: 'image/gif' | 'image/webp'): number[] =>
  mime === 'image/gif' ? readDelaysInGif(bytes) : readDelaysInWebp(bytes);

const [extension, picture] = [0x21, 0x2c];
const graphicControlLabel = 0xf9;
/** The length of a color table: three bytes for each of its colors. Its size is in the flags. */
const computeTableLength = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

/** A GIF has a head, a color table, and then blocks. A control extension gives the delay of the next picture. */
function readDelaysInGif(bytes: Buffer): number[] {
  const delays: number[] = [];
  let delay = 0;
  let at = 13 + computeTableLength(bytes.readUInt8(10));
  for (; at + 10 < bytes.length; at = findIndexAfterBlocks(bytes, at)) {
    const blockType = bytes[at];
    if (blockType === extension) {
      if (bytes[at + 1] === graphicControlLabel) delay = bytes.readUInt16LE(at + 4) / 100;
      at += 2;
    } else if (blockType === picture) {
      at += 11 + computeTableLength(bytes.readUInt8(at + 9));
      if (findIndexAfterBlocks(bytes, at) > bytes.length) break;
      delays.push(normalizeDelay(delay));
      delay = 0;
    } else break;
  }
  return delays;
}

/** The offset after blocks that each start with their length. An empty one is the last. */
function findIndexAfterBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length; at < bytes.length && (length = bytes[at]!) > 0;) at += 1 + length;
  return at + 1;
}

/**
 * A WebP has chunks: four letters, a length, data, and a zero if the length is odd. A picture's chunk has its delay.
 */
function readDelaysInWebp(bytes: Buffer): number[] {
  const delays: number[] = [];
  for (let at = 12; at + 24 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) break;
    if (bytes.toString('latin1', at, at + 4) === 'ANMF')
      delays.push(normalizeDelay(bytes.readUIntLE(at + 20, 3) / 1000));
    at = end;
  }
  return delays;
}
