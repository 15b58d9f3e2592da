/** Changes HEIC files that have the layout of heif-enc (libheif 1.15). */

/** Adds a property of the picture to a file: a box, and whether readers must understand it. */
export function addHeicProperty(file: Buffer, box: Buffer, isEssential = false): Buffer {
  const findBoxStart = (type: string) => file.indexOf(type) - 4;
  const findBoxEnd = (type: string) => findBoxStart(type) + file.readUInt32BE(findBoxStart(type));
  const changedFile = Buffer.from(file);

  // The item's property list: a count, then one byte each. The top bit says that readers must understand the property.
  const countAt = findBoxStart('ipma') + 18;
  const propertiesAt = findBoxStart('ipco') + 8;
  const propertyCount = countBoxesBetween(file, propertiesAt, findBoxEnd('ipco'));
  changedFile.writeUInt8(file.readUInt8(countAt) + 1, countAt);
  const association = Buffer.from([(isEssential ? 0x80 : 0) | (propertyCount + 1)]);

  const addedBytes = { ipco: box.length, ipma: association.length, all: box.length + association.length };
  moveData(changedFile, addedBytes.all);
  for (const [type, bytes] of [
    ['ipco', addedBytes.ipco],
    ['ipma', addedBytes.ipma],
    ['iprp', addedBytes.all],
    ['meta', addedBytes.all],
  ] as const) {
    changedFile.writeUInt32BE(file.readUInt32BE(findBoxStart(type)) + bytes, findBoxStart(type));
  }
  return Buffer.concat([
    changedFile.subarray(0, findBoxEnd('ipco')),
    box,
    changedFile.subarray(findBoxEnd('ipco'), findBoxEnd('ipma')),
    association,
    changedFile.subarray(findBoxEnd('ipma')),
  ]);
}

/** Turns the transparency that heif-enc wrote into a gain map of the same pixels. */
export function withGainMap(file: Buffer): Buffer {
  const transparency = 'urn:mpeg:hevc:2015:auxid:1';
  const gainMap = 'urn:com:apple:photo:2020:aux:hdrgainmap';
  const boxIndex = file.indexOf(transparency);
  const addedBytes = gainMap.length - transparency.length;
  const changedFile = Buffer.from(file);
  moveData(changedFile, addedBytes);
  for (const type of ['auxC', 'ipco', 'iprp', 'meta']) {
    const boxAt = file.indexOf(type) - 4;
    changedFile.writeUInt32BE(file.readUInt32BE(boxAt) + addedBytes, boxAt);
  }
  return Buffer.concat([
    changedFile.subarray(0, boxIndex),
    Buffer.from(gainMap),
    changedFile.subarray(boxIndex + transparency.length),
  ]);
}

/** Moves the start offset of each item's data by this many bytes. */
function moveData(file: Buffer, bytes: number): void {
  const itemsAt = file.indexOf('iloc') - 4 + 14;
  for (let item = 0; item < file.readUInt16BE(itemsAt); item += 1) {
    const offsetAt = itemsAt + 2 + item * 18 + 4;
    file.writeUInt32BE(file.readUInt32BE(offsetAt) + bytes, offsetAt);
  }
}

function countBoxesBetween(file: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at += file.readUInt32BE(at)) count += 1;
  return count;
}

export function createHeifBox(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + data.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, data]);
}

/** Color code points of ITU-T H.273. The matrix is the one that heif-enc uses. */
export function createNclxBox(primaries: number, transfer: number): Buffer {
  const codes = Buffer.alloc(7);
  codes.writeUInt16BE(primaries, 0);
  codes.writeUInt16BE(transfer, 2);
  codes.writeUInt16BE(6, 4);
  codes.writeUInt8(0x80, 6);
  return createHeifBox('colr', Buffer.concat([Buffer.from('nclx'), codes]));
}

export const createProfileBox = (profile: Buffer) =>
  createHeifBox('colr', Buffer.concat([Buffer.from('prof'), profile]));
