import type { BrowserContext, Page } from '@playwright/test';
import sharp from 'sharp';
import type { FramePhotoLimits, UploadView } from '#contract/frames.ts';
import { createFrameOwner } from './buying.ts';
import { waitForHydration, expect, test } from './fixtures.ts';

const names = Array.from({ length: 200 }, (_, at) => `photo-${at + 1}.jpg`);
const movedPhoto = names[1]!;
/** The order of the photos when the moved photo has this place. The first place is 1. */
const namesWithPhotoMovedTo = (position: number) => names.toSpliced(1, 1).toSpliced(position - 1, 0, movedPhoto);

/**
 * Opens My Uploads with two hundred photos that exist only in the page. Another test covers how the shop stores the
 * order.
 */
async function openWithPhotos(page: Page, context: BrowserContext, baseURL: string) {
  await createFrameOwner(context, baseURL);
  let order = names;
  const grey = { width: 4, height: 4, channels: 3, background: '#aaa' } as const;
  const picture = await sharp({ create: grey }).png().toBuffer();
  await page.route('**/uploads/*.webp', (route) => route.fulfill({ contentType: 'image/png', body: picture }));
  await page.route('**/api/frame-photo-limits', async (route) => {
    const response = await route.fetch();
    const limits = (await response.json()) as FramePhotoLimits;
    limits.frames[0]!.uploads = order.map(createPhotoNamed);
    await route.fulfill({ response, json: limits });
  });
  await page.route('**/photo-order', async (route) => {
    order = (route.request().postDataJSON() as { ids: string[] }).ids;
    await route.fulfill({ json: { success: true, message: 'Order saved.' } });
  });
  // Follow a link, because the test cannot intercept the data that comes with a full page load.
  await page.goto('/connect');
  await waitForHydration(page);
  await page.getByRole('main').getByRole('link', { name: 'My Uploads' }).click();
  await expect(page.getByRole('button', { name: /^View / })).toHaveCount(names.length);
  return { saved: () => order };
}

const createPhotoNamed = (name: string): UploadView => ({
  id: name,
  url: `/uploads/${name}`,
  thumbnailUrl: `/uploads/${name}.webp`,
  fileName: name,
  originalFileName: name,
  mimeType: 'image/jpeg',
  fileSize: 1000,
  width: 4,
  height: 4,
  crop: { quarterTurns: 0, area: null },
  whole: { url: `/uploads/${name}`, width: 4, height: 4 },
  uploadedAt: '2026-11-01T10:00:00.000Z',
  sha256: name,
  caption: null,
  isTitled: false,
  isRepaired: false,
  focus: null,
  moves: null,
  hasOwnMotion: false,
  shownWithId: null,
  style: null,
  preview: null,
  isLocked: false,
  isProcessed: false,
  isWaiting: false,
  showsFaces: false,
  mayShowWater: false,
  printArea: null,
  video: null,
});

const readShownOrder = (page: Page) =>
  page
    .getByRole('button', { name: /^View / })
    .evaluateAll((tiles) => tiles.map((it) => it.getAttribute('aria-label')!.replace('View ', '')));
const findGrip = (page: Page) => page.getByRole('button', { name: `Move ${movedPhoto}`, exact: true });
/** The last announced place of the moved photo. */
async function readAnnouncedPosition(page: Page): Promise<number> {
  const announcement = await page.getByText(new RegExp(`^${movedPhoto} (is now|was dropped) at place`)).textContent();
  return Number(/place (\d+) of 200/.exec(announcement!)?.[1]);
}

test('a photo moves far beyond the screen by keyboard, and Escape puts it back @phone', async ({
  page,
  context,
  baseURL,
}) => {
  const { saved } = await openWithPhotos(page, context, baseURL!);
  await findGrip(page).focus();
  const pickUpPhoto = async () => {
    await page.keyboard.press('Space');
    await expect(page.getByText(new RegExp(`^${movedPhoto} is now at place`))).toBeAttached();
    await expect(findGrip(page)).toHaveAttribute('aria-pressed', 'true');
  };
  await pickUpPhoto();
  // A key pressed before the library has handled the previous one repeats the same step.
  for (let position = 2; position < 60; position = await readAnnouncedPosition(page)) {
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => readAnnouncedPosition(page), { timeout: 2000 }).toBeGreaterThan(position);
  }
  await expect(findGrip(page)).toBeInViewport();
  await page.keyboard.press('Space');
  const position = await readAnnouncedPosition(page);
  await expect.poll(saved).toEqual(namesWithPhotoMovedTo(position));
  expect(await readShownOrder(page)).toEqual(saved());
  await expect(findGrip(page)).toBeFocused();
  await expect(findGrip(page)).not.toHaveAttribute('aria-pressed');

  // The photo keeps the focus when the page is scrolled back to the top. Picking it up scrolls to it and does not move
  // it.
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await expect(findGrip(page)).not.toBeInViewport();
  await pickUpPhoto();
  await expect(findGrip(page)).toBeInViewport();
  await page.keyboard.press('Escape');
  await expect(page.getByText(`${movedPhoto} stays where it was.`)).toBeAttached();
  expect(await readShownOrder(page)).toEqual(namesWithPhotoMovedTo(position));
});

test('a photo dragged to the edge of the screen scrolls the page @phone', async ({ page, context, baseURL }) => {
  const { saved } = await openWithPhotos(page, context, baseURL!);
  const { width, height } = page.viewportSize()!;
  await findGrip(page).scrollIntoViewIfNeeded();
  const { x, y } = (await findGrip(page).boundingBox())!;
  await page.mouse.move(x + 20, y + 20);
  await page.mouse.down();
  await page.mouse.move(width / 2, height - 8, { steps: 10 });
  await page.waitForFunction(() => window.scrollY > 5 * window.innerHeight);
  await page.mouse.move(width / 4, height / 2, { steps: 10 });
  await page.mouse.up();
  const position = await readAnnouncedPosition(page);
  expect(position).toBeGreaterThan(30);
  await expect.poll(saved).toEqual(namesWithPhotoMovedTo(position));
  expect(await readShownOrder(page)).toEqual(saved());
  await expect(findGrip(page)).toBeInViewport();
});
