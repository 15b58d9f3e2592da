/**
 * Measures the colors that Chromium shows for the PNGs in colored-pngs.ts and writes them to shown-by-chromium.json.
 * Run it after adding a picture: CHROMIUM_PATH=... node test/photos/make-shown-colors.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { coloredPngs } from './colored-pngs.ts';
import { patchMiddles } from './patches.ts';

/** Returns the center color of each patch, drawn by the browser. */
export async function readColorsInBrowser(page: Page, png: Buffer): Promise<number[][]> {
  return await page.evaluate(
    async ({ address, points }) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      return points.map(([x, y]) => Array.from(context.getImageData(x!, y!, 1, 1).data.slice(0, 3)));
    },
    { address: `data:image/png;base64,${png.toString('base64')}`, points: patchMiddles },
  );
}

if (import.meta.main) {
  const executablePath = process.env['CHROMIUM_PATH'];
  const browser = await chromium.launch(executablePath ? { executablePath } : {});
  const page = await browser.newPage();
  const lines: string[] = [];
  for (const [name, png] of Object.entries(coloredPngs))
    lines.push(`  ${JSON.stringify(name)}: ${JSON.stringify(await readColorsInBrowser(page, png))}`);
  await browser.close();
  writeFileSync(join(import.meta.dirname, 'shown-by-chromium.json'), `{\n${lines.join(',\n')}\n}\n`);
}
