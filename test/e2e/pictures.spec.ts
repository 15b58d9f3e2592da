import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A generated picture as shown on a page. */
interface ShownPicture {
  name: string;
  /** The width of the file that the browser chose. */
  file: number;
  /** The drawn width in CSS pixels, including the parts that are cut off at the sides. */
  drawn: number;
}

const { pictures } = JSON.parse(readFileSync(join(import.meta.dirname, '../../public/media/media.json'), 'utf8')) as {
  pictures: Record<string, { widths: number[] }>;
};

const paths = [
  '/',
  '/product/kinframe',
  '/product/photo2video-10',
  '/product/byof',
  '/how-it-works',
  '/gallery',
  '/about',
  '/faq',
  '/guides/connect-your-frame',
  '/nothing/here',
  '/upload',
];

const screens = [
  { width: 390, height: 844, density: 3 },
  { width: 768, height: 1024, density: 2 },
  { width: 1440, height: 900, density: 1 },
  { width: 1440, height: 900, density: 2 },
];

// More than two image pixels per CSS pixel make no visible difference.
const MAX_VISIBLE_DENSITY = 2;
// Browsers choose the nearer of two widths, so a file may be smaller by this factor.
const MIN_SHARE_OF_NEEDED_WIDTH = 0.8;

for (const { width, height, density } of screens)
  test(`pictures have the size that a screen of ${width} px at density ${density} needs, and no more`, async ({
    browser,
    baseURL,
  }) => {
    const wrongPictures: string[] = [];
    for (const path of paths) {
      // A separate browser context, because a browser reuses a cached file of any size.
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: density,
        reducedMotion: 'reduce',
        ...(baseURL && { baseURL }),
      });
      const page = await context.newPage();
      await page.goto(path);
      const allShownPictures = await readShownPictures(page);
      for (const { name, file, drawn } of allShownPictures) {
        const { widths } = pictures[name]!;
        const widestFileWidth = widths.at(-1)!;
        const neededWidth = drawn * Math.min(density, MAX_VISIBLE_DENSITY);
        // A file that the page shows larger elsewhere may be reused here.
        const largestDrawnWidth = Math.max(...allShownPictures.filter((it) => it.name === name).map((it) => it.drawn));
        const sufficientWidth = widths.find((it) => it >= largestDrawnWidth * density * 1.25) ?? widestFileWidth;
        const description = `${path}: ${name}, drawn ${Math.round(drawn)} wide, `;
        if (file < neededWidth * MIN_SHARE_OF_NEEDED_WIDTH)
          wrongPictures.push(`${description}comes ${file} wide, of ${widestFileWidth} at most`);
        if (file > sufficientWidth)
          wrongPictures.push(`${description}comes ${file} wide, though ${sufficientWidth} is enough`);
      }
      await context.close();
    }
    expect(wrongPictures).toEqual([]);
  });

/** Returns every generated picture of a page after all of them have loaded. */
async function readShownPictures(page: Page): Promise<ShownPicture[]> {
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
  });
  await page.waitForFunction(() => [...document.images].every((it) => it.complete));
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLImageElement>('picture img')].flatMap((image) => {
      const [, name, file] = /\/media\/(.+)-(\d+)\.(?:avif|webp)$/.exec(image.currentSrc) ?? [];
      const { offsetWidth: width, offsetHeight: height, naturalWidth, naturalHeight } = image;
      if (!name || !file || width === 0) return [];
      const widthAtHeight = (height * naturalWidth) / naturalHeight;
      const isCropped = getComputedStyle(image).objectFit === 'cover';
      const drawnWidth = isCropped ? Math.max(width, widthAtHeight) : Math.min(width, widthAtHeight);
      return [{ name, file: Number(file), drawn: drawnWidth }];
    }),
  );
}
