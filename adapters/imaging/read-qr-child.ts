import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { serveJobsOfParent } from '../processes/child-side.ts';
import type { QrResult, QrJob } from './read-qr.ts';

/** The picture is scaled down to this size. It is enough to read a code that fills a fifth of the picture. */
const mostPixelsPerSide = 1600;

serveJobsOfParent(async ({ path }: QrJob): Promise<QrResult> => {
  const { data, info } = await sharp(path)
    .resize(mostPixelsPerSide, mostPixelsPerSide, { fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  try {
    return { text: decodeQr({ width: info.width, height: info.height, data }, { timeLimit: 2000 }) };
  } catch {
    return { text: undefined }; // no code, or it is blurred
  }
});
