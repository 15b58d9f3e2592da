import decodeQr from 'qr/decode.js';
import sharp from 'sharp';
import { doJobsOfParent } from '../processes/child-side.ts';
import type { QrAnswer, QrJob } from './read-qr.ts';

/** Enough for a code that fills a fifth of a picture. */
const side = 1600;

doJobsOfParent(async ({ path }: QrJob): Promise<QrAnswer> => {
  const { data, info } = await sharp(path)
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  try {
    return { text: decodeQr({ width: info.width, height: info.height, data }, { timeLimit: 2000 }) };
  } catch {
    return { text: undefined }; // there is none, or it is blurred
  }
});
