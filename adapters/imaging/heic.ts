import { isRgbProfile } from './colour-profile.ts';

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
  // Two megabytes of WebAssembly, compiled as they are loaded: only where there is a HEIC.
  const { default: heicDecode } = await import('heic-decode');
  const [image] = await heicDecode.all({ buffer: bytes });
  if (!image) throw new Error('holds no picture');
  return {
    width: image.width,
    height: image.height,
    profile: profileOf(bytes),
    decode: async () => (await image.decode()).data,
  };
}

/** The first colour profile for RGB: a `colr` box of type `prof`, whose size stands in the four bytes before it. */
function profileOf(bytes: Buffer): Buffer | undefined {
  for (let at = bytes.indexOf(box); at >= 4; at = bytes.indexOf(box, at + 1)) {
    const profile = bytes.subarray(at + box.length, at - 4 + bytes.readUInt32BE(at - 4));
    if (isRgbProfile(profile)) return profile;
  }
  return undefined;
}
const box = Buffer.from('colrprof');
