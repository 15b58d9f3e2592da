import { crc32, deflateSync } from 'node:zlib';

/** Signature and header chunk of a PNG: what stands before everything else. */
const headerLength = 33;

/** A PNG with an ICC profile written into it, for sharp takes the profile of raw pixels from nowhere else. */
export function pngWithProfile(png: Buffer, profile: Buffer): Buffer {
  const type = Buffer.from('iCCP');
  const data = Buffer.concat([Buffer.from('photo\0\0', 'latin1'), deflateSync(profile)]);
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  type.copy(chunk, 4);
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(Buffer.concat([type, data])), 8 + data.length);
  return Buffer.concat([png.subarray(0, headerLength), chunk, png.subarray(headerLength)]);
}
