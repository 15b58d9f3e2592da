/** The largest ICC profile we open. Those of print shops, the largest in photos, stay below three megabytes. */
export const profileBytesLimit = 4 * 1024 * 1024;

/** Every ICC profile says its own length first and 'acsp' at 36; a chance match does not. */
export const isProfile = (bytes: Buffer) =>
  bytes.length >= 128 &&
  bytes.length <= profileBytesLimit &&
  bytes.readUInt32BE(0) === bytes.length &&
  bytes.toString('latin1', 36, 40) === 'acsp';

/** What its colours are numbers of. */
export const isRgbProfile = (bytes: Buffer) => isProfile(bytes) && bytes.toString('latin1', 16, 20) === 'RGB ';
