import { crc32, deflateSync } from 'node:zlib';

/** Length of a PNG's signature and header chunk, which come first. */
const headerLength = 33;

/** Inserts an ICC profile into a PNG. This is the only way to give sharp a profile for raw pixels. */
export const insertPngProfile = (png: Buffer, profile: Buffer): Buffer =>
  Buffer.concat([png.subarray(0, headerLength), createProfileChunk(profile), png.subarray(headerLength)]);

export function createProfileChunk(profile: Buffer): Buffer {
  const type = Buffer.from('iCCP');
  const data = Buffer.concat([Buffer.from('photo\0\0', 'latin1'), deflateSync(profile)]);
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  type.copy(chunk, 4);
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(Buffer.concat([type, data])), 8 + data.length);
  return chunk;
}
