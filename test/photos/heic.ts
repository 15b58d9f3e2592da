/** Changes HEIC files that have the layout of heif-enc (libheif 1.15). */

/** Adds a property of the picture to a file: a box, and whether readers must understand it. */
export function withProperty(file: Buffer, box: Buffer, isEssential = false): Buffer {
  const boxAt = (type: string) => file.indexOf(type) - 4;
  const endOf = (type: string) => boxAt(type) + file.readUInt32BE(boxAt(type));
  const changed = Buffer.from(file);

  // The item's property list: a count, then one byte each. The top bit says that readers must understand the property.
  const countAt = boxAt('ipma') + 18;
  const propertiesAt = boxAt('ipco') + 8;
  const properties = countBoxesBetween(file, propertiesAt, endOf('ipco'));
  changed.writeUInt8(file.readUInt8(countAt) + 1, countAt);
  const association = Buffer.from([(isEssential ? 0x80 : 0) | (properties + 1)]);

  const added = { ipco: box.length, ipma: association.length, all: box.length + association.length };
  moveData(changed, added.all);
  for (const [type, bytes] of [
    ['ipco', added.ipco],
    ['ipma', added.ipma],
    ['iprp', added.all],
    ['meta', added.all],
  ] as const) {
    changed.writeUInt32BE(file.readUInt32BE(boxAt(type)) + bytes, boxAt(type));
  }
  return Buffer.concat([
    changed.subarray(0, endOf('ipco')),
    box,
    changed.subarray(endOf('ipco'), endOf('ipma')),
    association,
    changed.subarray(endOf('ipma')),
  ]);
}

/** Turns the transparency that heif-enc wrote into a gain map of the same pixels. */
export function withGainMap(file: Buffer): Buffer {
  const transparency = 'urn:mpeg:hevc:2015:auxid:1';
  const gainMap = 'urn:com:apple:photo:2020:aux:hdrgainmap';
  const at = file.indexOf(transparency);
  const added = gainMap.length - transparency.length;
  const changed = Buffer.from(file);
  moveData(changed, added);
  for (const type of ['auxC', 'ipco', 'iprp', 'meta']) {
    const boxAt = file.indexOf(type) - 4;
    changed.writeUInt32BE(file.readUInt32BE(boxAt) + added, boxAt);
  }
  return Buffer.concat([changed.subarray(0, at), Buffer.from(gainMap), changed.subarray(at + transparency.length)]);
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
