// 1200x630 pictures for shared links: a render on one side, a short line in the serif font on paper.
import { createCanvas, loadImage } from '@napi-rs/canvas';
import sharp from 'sharp';
import { prepareOutputPath, mediaFolder, rawFilePath } from './places.ts';
import { updateManifest } from './pictures.ts';
import { accentColor, inkColor, wrapLines, createLogoSvg, paperBackgroundColor } from './type.ts';

const WIDTH = 1200;
const HEIGHT = 630;
const TEXT_WIDTH = 500;

interface Card {
  name: string;
  picture: string;
  line: string;
  below: string;
  /** The horizontal center of the crop, as a fraction of the picture's width. */
  focus: number;
}

const cards: Card[] = [
  {
    name: 'home',
    picture: 'product-hero',
    line: 'Family photos that move.',
    below: 'The picture frame for your people',
    focus: 0.72,
  },
  {
    name: 'kinframe',
    picture: 'product-living-room',
    line: 'Oak outside, life inside.',
    below: '10.1 inch, cream mat, Wi-Fi',
    focus: 0.5,
  },
  {
    name: 'byof',
    picture: 'product-byof',
    line: 'Your own frame, our motion.',
    below: 'Videos for the frame you have',
    focus: 0.42,
  },
  {
    name: 'photo2video-10',
    picture: 'product-bundle',
    line: 'Ten photos, ten small films.',
    below: 'The photo package',
    focus: 0.46,
  },
  { name: 'gallery', picture: 'gallery', line: 'Before, and alive.', below: 'See what we make of a photo', focus: 0.5 },
  {
    name: 'faq',
    picture: 'product-gift',
    line: 'Good questions, clear answers.',
    below: 'How Kinframe works',
    focus: 0.3,
  },
];

export async function renderSocialImages(names: string[] = []) {
  for (const card of cards) {
    if (names.length && !names.includes(card.name)) continue;
    const canvas = createCanvas(WIDTH, HEIGHT);
    const g = canvas.getContext('2d');
    g.fillStyle = paperBackgroundColor;
    g.fillRect(0, 0, WIDTH, HEIGHT);
    const w = WIDTH - TEXT_WIDTH;
    if (card.picture === 'gallery') {
      for (const [i, name] of ['kite', 'laughter', 'best-friends', 'autumn', 'newborn', 'garden'].entries()) {
        const tile = await sharp(rawFilePath(`stills/${name}.png`))
          .resize(Math.ceil(w / 2), HEIGHT / 3, { fit: 'cover' })
          .png()
          .toBuffer();
        g.drawImage(await loadImage(tile), TEXT_WIDTH + (i % 2) * (w / 2 + 3), Math.floor(i / 2) * (HEIGHT / 3 + 2));
      }
    } else {
      const source = sharp(rawFilePath(`made-${card.picture}.png`));
      const { width, height } = await source.metadata();
      const cropWidth = Math.min(width, Math.round((height * w) / HEIGHT));
      const left = Math.round(Math.min(width - cropWidth, Math.max(0, card.focus * width - cropWidth / 2)));
      const part = await source
        .extract({ left, top: 0, width: cropWidth, height })
        .resize(w, HEIGHT, { fit: 'cover' })
        .png()
        .toBuffer();
      g.drawImage(await loadImage(part), TEXT_WIDTH, 0);
    }
    g.drawImage(await loadImage(Buffer.from(createLogoSvg())), 56, 54, 58, 58);
    g.fillStyle = inkColor;
    g.font = '600 34px Fraunces';
    g.fillText('Kinframe', 124, 96);
    g.font = '600 66px Fraunces';
    const rows = wrapLines(g, card.line, TEXT_WIDTH - 100);
    const top = 345 - (rows.length - 1) * 37;
    rows.forEach((row, i) => g.fillText(row, 60, top + i * 74));
    g.fillStyle = accentColor;
    g.fillRect(62, top + rows.length * 74 - 38, 54, 4);
    g.fillStyle = '#66574c';
    g.font = '500 25px Figtree';
    g.fillText(card.below, 60, top + rows.length * 74 + 20);
    await sharp(canvas.toBuffer('image/png'))
      .jpeg({ quality: 84, mozjpeg: true })
      .toFile(prepareOutputPath(mediaFolder, 'social', `${card.name}.jpg`));
    updateManifest((m) => {
      m.pictures[`social/${card.name}`] = {
        width: WIDTH,
        height: HEIGHT,
        widths: [WIDTH],
        alt: `Kinframe. ${card.line}`,
        color: paperBackgroundColor,
      };
    });
  }
}
