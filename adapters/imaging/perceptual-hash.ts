import sharp from 'sharp';

const sampleSide = 32;
const frequencyCount = 8;
/** The standard deviation of gray values below which a picture has too little structure to compare. */
const leastDeviation = 4;

/** cosines[frequency][place] of a discrete cosine transform. */
const cosines = Array.from({ length: frequencyCount }, (_, frequency) =>
  Array.from({ length: sampleSide }, (__, place) => Math.cos((Math.PI * (place + 0.5) * frequency) / sampleSide)),
);

/**
 * The perceptual hash (pHash) of a picture, 16 hexadecimal digits: which of its 64 lowest frequencies are stronger than
 * their median. Similar pictures differ in few bits, whatever their size, encoding and brightness. Undefined for a
 * plain picture, for example a white one, because its bits are noise.
 */
export async function computePerceptualHash(picture: Buffer): Promise<string | undefined> {
  const gray = await sharp(picture).greyscale().resize(sampleSide, sampleSide, { fit: 'fill' }).raw().toBuffer();
  if (computeDeviation(gray) < leastDeviation) return undefined;
  const rows = Array.from({ length: sampleSide }, (_, y) =>
    cosines.map((cosine) => cosine.reduce((sum, it, x) => sum + it * gray[y * sampleSide + x]!, 0)),
  );
  const strengths = cosines.flatMap((cosine) =>
    rows[0]!.map((_, across) => cosine.reduce((sum, it, y) => sum + it * rows[y]![across]!, 0)),
  );
  // Without the first one, which is the brightness of the whole picture.
  const median = strengths.slice(1).toSorted((a, b) => a - b)[(frequencyCount * frequencyCount) / 2 - 1]!;
  const bits = strengths.map((it) => (it > median ? '1' : '0')).join('');
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0');
}

function computeDeviation(gray: Buffer): number {
  const meanGray = gray.reduce((sum, it) => sum + it, 0) / gray.length;
  return Math.sqrt(gray.reduce((sum, it) => sum + (it - meanGray) ** 2, 0) / gray.length);
}
