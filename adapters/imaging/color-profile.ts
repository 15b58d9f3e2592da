/**
 * Maximum size of an ICC profile. The largest profiles in photos come from print shops and have less than three
 * megabytes.
 */
export const profileBytesLimit = 4 * 1024 * 1024;

/**
 * Whether the data is an ICC profile. Every profile starts with its own length and has 'acsp' at offset 36. Other data
 * does not match by chance.
 */
export const isIccProfile = (bytes: Buffer) =>
  bytes.length >= 128 &&
  bytes.length <= profileBytesLimit &&
  bytes.readUInt32BE(0) === bytes.length &&
  bytes.toString('latin1', 36, 40) === 'acsp';

/** Whether the data is an ICC profile for RGB colors. */
export const isRgbProfile = (bytes: Buffer) => isIccProfile(bytes) && bytes.toString('latin1', 16, 20) === 'RGB ';
