import { isRgbProfile } from './color-profile.ts';
import { findColorSpaceOfCodes, isSrgb, type ColorSpace } from './color-space.ts';
import { parseIsoBoxes, dataOfBox, type IsoBox } from './iso-boxes.ts';

export type HeicColor = { profile: Buffer } | { space: ColorSpace };

/**
 * Reads the color space of a HEIC's main picture; undefined for sRGB. Ignores the colors of other pictures in the file,
 * such as a gain map. A profile has priority over code points (nclx).
 */
export function readHeicColor(bytes: Buffer): HeicColor | undefined {
  try {
    const properties = readPropertiesOfMainPicture(bytes);
    const colors = properties.filter((it) => it.type === 'colr').map((it) => it.data);
    const profile = colors.map((it) => it.subarray(4)).find(isRgbProfile);
    if (profile) return { profile };
    const colorCodes = colors.find((it) => it.toString('latin1', 0, 4) === 'nclx');
    const peakNits = properties.find((it) => it.type === 'clli')?.data.readUInt16BE(0);
    const space =
      colorCodes && spaceOfCodes(colorCodes.readUInt16BE(4), colorCodes.readUInt16BE(6), peakNits || undefined);
    return space && !isSrgb(space) ? { space } : undefined;
  } catch (error) {
    // A box claims to be longer than the file.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * Interprets code points as browsers do. "Unspecified" means sRGB. The curve of television also means sRGB, because
 * phones write its code for pictures that use the sRGB curve.
 */
const spaceOfCodes = (primaries: number, transfer: number, peakNits: number | undefined) =>
  findColorSpaceOfCodes(
    primaries === unspecifiedCode ? srgbPrimaries : primaries,
    transfer === unspecifiedCode || televisionTransferCodes.has(transfer) ? srgbTransfer : transfer,
    peakNits,
  );
const unspecifiedCode = 2;
const [srgbPrimaries, srgbTransfer] = [1, 13];
const televisionTransferCodes = new Set([1, 6, 11, 14, 15]);

/** Size of the version and flags at the start of some boxes ("full boxes"). */
const fullBoxHead = 4;

function readPropertiesOfMainPicture(bytes: Buffer): IsoBox[] {
  const meta = parseIsoBoxes(dataOfBox(parseIsoBoxes(bytes), 'meta').subarray(fullBoxHead));
  const primaryItemBox = dataOfBox(meta, 'pitm');
  const id =
    primaryItemBox[0] === 0 ? primaryItemBox.readUInt16BE(fullBoxHead) : primaryItemBox.readUInt32BE(fullBoxHead);
  const propertyBoxes = parseIsoBoxes(dataOfBox(meta, 'iprp'));
  const properties = parseIsoBoxes(dataOfBox(propertyBoxes, 'ipco'));
  const propertyIndexesByItem = readPropertyIndexes(dataOfBox(propertyBoxes, 'ipma'));
  const findItemProperties = (item: number) =>
    (propertyIndexesByItem.get(item) ?? []).flatMap((position) => properties[position - 1] ?? []);
  const ownProperties = findItemProperties(id);
  if (ownProperties.some((it) => it.type === 'colr')) return ownProperties;
  // If the picture consists of tiles, the tiles may have the color property.
  const tileId = firstTileOf(id, dataOfBox(meta, 'iref'));
  return tileId === undefined ? ownProperties : [...ownProperties, ...findItemProperties(tileId)];
}

/** For each item, the positions of its properties, counted from 1. */
function readPropertyIndexes(associations: Buffer): Map<number, number[]> {
  const [hasLongIds, hasLongPlaces] = [associations[0] !== 0, (associations[3]! & 1) === 1];
  const propertyIndexesByItem = new Map<number, number[]>();
  let at = fullBoxHead + 4;
  for (let left = associations.readUInt32BE(fullBoxHead); left > 0; left--) {
    const item = hasLongIds ? associations.readUInt32BE(at) : associations.readUInt16BE(at);
    at += hasLongIds ? 4 : 2;
    const count = associations.readUInt8(at);
    at += 1;
    const ownIndexes: number[] = [];
    for (let index = 0; index < count; index++, at += hasLongPlaces ? 2 : 1)
      ownIndexes.push(hasLongPlaces ? associations.readUInt16BE(at) & 0x7fff : associations.readUInt8(at) & 0x7f);
    propertyIndexesByItem.set(item, ownIndexes);
  }
  return propertyIndexesByItem;
}

/**
 * Returns the first tile of an item that consists of tiles. A reference box has the id of the item, the number of
 * tiles, and the ids of the tiles.
 */
function firstTileOf(item: number, references: Buffer): number | undefined {
  if (references.length === 0) return undefined;
  const hasLongIds = references[0] !== 0;
  const [read, size] = hasLongIds
    ? [(data: Buffer, at: number) => data.readUInt32BE(at), 4]
    : [(data: Buffer, at: number) => data.readUInt16BE(at), 2];
  const derivedReference = parseIsoBoxes(references.subarray(fullBoxHead)).find(
    (it) => it.type === 'dimg' && read(it.data, 0) === item,
  );
  return derivedReference && read(derivedReference.data, size + 2);
}
