// The phone's screen: photos that are uploading to the frame. Drawn in the shop's own fonts.
import { createCanvas, loadImage } from '@napi-rs/canvas';
import sharp from 'sharp';
import type { CanvasContext } from './gallery/stage.ts';
import { rawFilePath } from './places.ts';
import { accentColor, inkColor, createLogoSvg, paperBackgroundColor } from './type.ts';

const WIDTH = 640;
const HEIGHT = 1400;

async function drawCoverPicture(g: CanvasContext, name: string, x: number, y: number, w: number, h: number, r: number) {
  const image = await loadImage(
    await sharp(rawFilePath(`stills/${name}.png`))
      .resize(Math.round(w), Math.round(h), { fit: 'cover', position: 'attention' })
      .png()
      .toBuffer(),
  );
  g.save();
  g.beginPath();
  g.roundRect(x, y, w, h, r);
  g.clip();
  g.drawImage(image, x, y, w, h);
  g.restore();
}

export async function renderPhoneScreen() {
  const canvas = createCanvas(WIDTH, HEIGHT);
  const g = canvas.getContext('2d');
  g.fillStyle = paperBackgroundColor;
  g.fillRect(0, 0, WIDTH, HEIGHT);
  g.fillStyle = inkColor;
  g.font = '600 26px Figtree';
  g.fillText('9:41', 46, 60);
  g.drawImage(await loadImage(Buffer.from(createLogoSvg())), 36, 100, 72, 72);
  g.font = '600 44px Fraunces';
  g.fillText('Kinframe', 120, 152);
  g.font = '600 54px Fraunces';
  g.fillText('Photos for Oma', 40, 262);
  g.font = '500 28px Figtree';
  g.fillStyle = '#75675c';
  g.fillText('7 of 10 are ready', 40, 312);
  g.fillStyle = '#e9dfd0';
  g.beginPath();
  g.roundRect(40, 340, 560, 14, 7);
  g.fill();
  g.fillStyle = accentColor;
  g.beginPath();
  g.roundRect(40, 340, 392, 14, 7);
  g.fill();
  const names = ['kite', 'garden', 'autumn', 'birthday', 'cabin', 'cat', 'sailboat', 'promenade'];
  for (const [i, name] of names.entries()) {
    const x = 40 + (i % 2) * 288;
    const y = 392 + Math.floor(i / 2) * 212;
    await drawCoverPicture(g, name, x, y, 272, 192, 18);
    if (i < 7) {
      g.fillStyle = 'rgba(250,246,239,.94)';
      g.beginPath();
      g.arc(x + 240, y + 160, 19, 0, Math.PI * 2);
      g.fill();
      g.strokeStyle = '#3d6b4c';
      g.lineWidth = 5;
      g.lineCap = 'round';
      g.beginPath();
      g.moveTo(x + 231, y + 160);
      g.lineTo(x + 238, y + 167);
      g.lineTo(x + 250, y + 153);
      g.stroke();
    } else {
      g.fillStyle = 'rgba(43,36,32,.45)';
      g.beginPath();
      g.roundRect(x, y, 272, 192, 18);
      g.fill();
      g.strokeStyle = paperBackgroundColor;
      g.lineWidth = 8;
      g.beginPath();
      g.arc(x + 136, y + 96, 34, -Math.PI / 2, Math.PI * 0.9);
      g.stroke();
    }
  }
  g.fillStyle = accentColor;
  g.beginPath();
  g.roundRect(40, 1262, 560, 92, 46);
  g.fill();
  g.fillStyle = paperBackgroundColor;
  g.font = '600 34px Figtree';
  g.textAlign = 'center';
  g.fillText('Send to the frame', WIDTH / 2, 1320);
  return canvas.toBuffer('image/png');
}
