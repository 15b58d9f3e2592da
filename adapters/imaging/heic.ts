import heicDecode from 'heic-decode';

export interface HeicPhoto {
  /** Size upright, from the container. */
  width: number;
  height: number;
  /** The ICC profile its colours are meant in; undefined for plain sRGB. */
  profile: Buffer | undefined;
  /** RGBA pixels, upright. */
  decode(): Promise<Uint8ClampedArray<ArrayBuffer>>;
}

/** Read the container of a HEIC file without decoding its picture: sharp's own build has no HEVC decoder. */
export async function openHeic(bytes: Buffer): Promise<HeicPhoto> {
  const [image] = await heicDecode.all({ buffer: bytes });
  if (!image) throw new Error('holds no picture');
  return {
    width: image.width,
    height: image.height,
    profile: profileOf(bytes),
    decode: async () => (await image.decode()).data,
  };
}

/** The first embedded ICC profile: a `colr` box of type `prof`, whose size stands in the four bytes before it. */
function profileOf(bytes: Buffer): Buffer | undefined {
  const at = bytes.indexOf('colrprof', 0, 'latin1');
  if (at < 4) return undefined;
  const end = at - 4 + bytes.readUInt32BE(at - 4);
  const profile = bytes.subarray(at + 8, end);
  // Every ICC profile says its own length first and 'acsp' at 36; anything else is a chance match.
  const whole = profile.length >= 128 && profile.readUInt32BE(0) === profile.length;
  return whole && profile.toString('latin1', 36, 40) === 'acsp' ? profile : undefined;
}
