import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';

/** A made picture as it stands on a page. */
interface Shown {
  name: string;
  /** The width of the file the browser chose. */
  file: number;
  /** As wide as it is drawn, what is cut off at its sides counted, in CSS pixels. */
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

// Nobody sees a difference beyond two pixels of a picture to one of the page.
const SEEN = 2;
// Between two widths browsers take the nearer one: a step down may be this small.
const STEP_DOWN = 0.8;

for (const { width, height, density } of screens)
  test(`pictures come as large as a screen of ${width} px at density ${density} shows them, and no larger`, async ({
    browser,
    baseURL,
  }) => {
    const wrong: string[] = [];
    for (const path of paths) {
      // A browser of its own: one takes what it holds already, however large.
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: density,
        reducedMotion: 'reduce',
        ...(baseURL && { baseURL }),
      });
      const page = await context.newPage();
      await page.goto(path);
      const all = await shown(page);
      for (const { name, file, drawn } of all) {
        const { widths } = pictures[name]!;
        const widest = widths.at(-1)!;
        const needed = drawn * Math.min(density, SEEN);
        // A file that the page shows larger elsewhere serves here, too.
        const largest = Math.max(...all.filter((it) => it.name === name).map((it) => it.drawn));
        const enough = widths.find((it) => it >= largest * density * 1.25) ?? widest;
        const says = `${path}: ${name}, drawn ${Math.round(drawn)} wide, `;
        if (file < needed * STEP_DOWN) wrong.push(`${says}comes ${file} wide, of ${widest} at most`);
        if (file > enough) wrong.push(`${says}comes ${file} wide, though ${enough} is enough`);
      }
      await context.close();
    }
    expect(wrong).toEqual([]);
  });

/** Every made picture of a page, once those further down have come, too. */
async function shown(page: Page): Promise<Shown[]> {
  await page.evaluate(() => {
    for (const image of document.images) image.loading = 'eager';
  });
  await page.waitForFunction(() => [...document.images].every((it) => it.complete));
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLImageElement>('picture img')].flatMap((image) => {
      const [, name, file] = /\/media\/(.+)-(\d+)\.(?:avif|webp)$/.exec(image.currentSrc) ?? [];
      const { offsetWidth: width, offsetHeight: height, naturalWidth, naturalHeight } = image;
      if (!name || !file || width === 0) return [];
      const atThatHeight = (height * naturalWidth) / naturalHeight;
      const covers = getComputedStyle(image).objectFit === 'cover';
      const drawn = covers ? Math.max(width, atThatHeight) : Math.min(width, atThatHeight);
      return [{ name, file: Number(file), drawn }];
    }),
  );
}
