import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { findPictureInBorder } from './print-border.ts';
import { openPicture } from './pixels.ts';

const [width, height] = [900, 700];
const paper = '#ece2cf';

/** A garden with a bright sky, a dark hedge and a house, without a border. */
const scene = (skyColor = '#cfd8e2') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600"><rect width="800" height="600" fill="#5d7048"/>
    <rect width="800" height="260" fill="${skyColor}"/><rect x="90" y="120" width="260" height="220" fill="#8d4a3a"/>
    <path d="M0 330 Q200 280 400 330 T800 320 V600 H0 Z" fill="#37492f"/><circle cx="620" cy="360" r="80" fill="#d9b38c"/></svg>`,
  );

async function createPrint({
  border = { left: 50, top: 50, right: 50, bottom: 50 },
  color = paper,
  turn = 0,
  marks = '',
  sky = '#9fb4cc',
} = {}) {
  const inner = await sharp(scene(sky))
    .resize(width - border.left - border.right, height - border.top - border.bottom, { fit: 'fill' })
    .png()
    .toBuffer();
  const print = await sharp({ create: { width, height, channels: 3, background: color } })
    .composite([
      { input: inner, left: border.left, top: border.top },
      {
        input: Buffer.from(
          `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${marks}</svg>`,
        ),
      },
    ])
    .png()
    .toBuffer();
  const turned = await sharp(print).rotate(turn, { background: color }).png().toBuffer();
  return openPicture(sharp(turned));
}

describe('findPictureInBorder', () => {
  it('finds the picture in a cream paper border and leaves no paper', async () => {
    const pictureArea = (await findPictureInBorder(await createPrint()))!;
    expect(pictureArea.left).toBeGreaterThanOrEqual(50 / width);
    expect(pictureArea.left).toBeLessThan(60 / width);
    expect(pictureArea.top).toBeGreaterThanOrEqual(50 / height);
    expect(pictureArea.top).toBeLessThan(60 / height);
    expect(pictureArea.left + pictureArea.width).toBeLessThanOrEqual(1 - 50 / width);
    expect(pictureArea.width).toBeGreaterThan(780 / width);
    expect(pictureArea.top + pictureArea.height).toBeLessThanOrEqual(1 - 50 / height);
    expect(pictureArea.height).toBeGreaterThan(580 / height);
  });
  it.each([
    ['white paper', { color: '#ffffff' }],
    ['an instant photo with a wide bottom border', { border: { left: 45, top: 45, right: 45, bottom: 150 } }],
    ['a print that is turned by one degree', { turn: 1 }],
    [
      'dust and a pen mark on the paper',
      { marks: '<circle cx="20" cy="200" r="3"/><path d="M300 20 h50" stroke="#333" stroke-width="3"/>' },
    ],
  ])('finds the picture in a border: %s', async (_, options) => {
    expect(await findPictureInBorder(await createPrint(options))).toBeDefined();
  });
  it.each([
    ['a photo without a border', { border: { left: 0, top: 0, right: 0, bottom: 0 } }],
    ['a border on three sides', { border: { left: 50, top: 50, right: 50, bottom: 0 } }],
    ['a bright sky without an edge at the top', { sky: paper }],
    ['a dark border', { color: '#333333' }],
    ['a gray border', { color: '#8f8f8f' }],
  ])('finds no border: %s', async (_, options) => {
    expect(await findPictureInBorder(await createPrint(options))).toBeUndefined();
  });
  it('finds no border around an object on a white background', async () => {
    const vase = Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="700"><rect width="900" height="700" fill="#fff"/>
      <ellipse cx="450" cy="350" rx="380" ry="290" fill="#7a4b6b"/></svg>`,
    );
    expect(await findPictureInBorder(await openPicture(sharp(vase)))).toBeUndefined();
  });
  it('finds no border in a picture of a few pixels', async () => {
    const tiny = sharp({ create: { width: 6, height: 5, channels: 3, background: '#fff' } }).png();
    expect(await findPictureInBorder(await openPicture(tiny))).toBeUndefined();
  });
});
