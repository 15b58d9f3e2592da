/** The Exif tags that this file reads. */
const exifDirectoryTag = 0x8769;
const interoperabilityDirectoryTag = 0xa005;
const colorSpaceTag = 0xa001;
const interoperabilityIndexTag = 0x0001;
const [saysSrgb, saysAdobeRgb] = [1, 2];

/**
 * Whether a photo's Exif data says Adobe RGB. Cameras write interoperability index R03 (DCF 2.0). Some programs write
 * color space 2. If the index and the color space contradict each other, the result is false.
 *
 * @param exif a segment's data: `Exif`, two zeros, a TIFF structure
 */
export function isAdobeRgbByExif(exif: Buffer): boolean {
  const tiff = exif.subarray(6);
  const byteOrder = tiff.toString('latin1', 0, 2);
  if ((byteOrder !== 'II' && byteOrder !== 'MM') || tiff.length < 8) return false;
  const [short, long] =
    byteOrder === 'II'
      ? [
          (entryPosition: number) => tiff.readUInt16LE(entryPosition),
          (entryPosition: number) => tiff.readUInt32LE(entryPosition),
        ]
      : [
          (entryPosition: number) => tiff.readUInt16BE(entryPosition),
          (entryPosition: number) => tiff.readUInt32BE(entryPosition),
        ];
  /**
   * The offset of a tag's value in a directory, which starts at the offset `directory`. Undefined if the tag does not
   * exist.
   */
  const findEntry = (directory: number | undefined, tag: number): number | undefined => {
    if (directory === undefined || directory + 2 > tiff.length) return undefined;
    for (
      let left = short(directory), entryPosition = directory + 2;
      left > 0 && entryPosition + 12 <= tiff.length;
      left--, entryPosition += 12
    )
      if (short(entryPosition) === tag) return entryPosition + 8;
    return undefined;
  };
  const readPointer = (directory: number | undefined, tag: number) => {
    const position = findEntry(directory, tag);
    return position === undefined ? undefined : long(position);
  };
  const camera = readPointer(long(4), exifDirectoryTag);
  const colorSpaceOffset = findEntry(camera, colorSpaceTag);
  const space = colorSpaceOffset === undefined ? undefined : short(colorSpaceOffset);
  const indexOffset = findEntry(readPointer(camera, interoperabilityDirectoryTag), interoperabilityIndexTag);
  const index = indexOffset === undefined ? undefined : tiff.toString('latin1', indexOffset, indexOffset + 3);
  return index === 'R03' ? space !== saysSrgb : space === saysAdobeRgb && index !== 'R98';
}
