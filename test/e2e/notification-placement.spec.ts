import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { drawRealPhotos, expect, test } from './fixtures.ts';

const screens = [
  { width: 390, height: 664 }, // a phone whose browser shows its bars
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
];

/** The buttons and fields of the open dialog, or the bars at the bottom of the page, that the notification covers. */
const readCoveredControls = (page: Page) =>
  page.evaluate(() => {
    const { top, bottom, left, right } = document.querySelector('ol > li[data-state=open]')!.getBoundingClientRect();
    const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1);
    const controls = dialog
      ? dialog.querySelectorAll('button, a, input, select, textarea, label')
      : document.querySelectorAll('[data-bottom-bar]');
    // The part of the window in which the dialog scrolls.
    const visibleHeight = dialog ? dialog.parentElement!.clientHeight : innerHeight;
    return [...controls]
      .filter((it) => it.checkVisibility())
      .filter((it) => {
        const box = it.getBoundingClientRect();
        const visibleBottom = Math.min(box.bottom, visibleHeight);
        return visibleBottom > top && box.top < bottom && box.right > left && box.left < right;
      })
      .map((it) => it.getAttribute('aria-label') ?? it.textContent ?? it.outerHTML.slice(0, 80));
  });

for (const screen of screens)
  test(`a notification covers neither a dialog's buttons nor the bar at the bottom, ${screen.width} pixels wide`, async ({
    page,
    context,
    baseURL,
    expectProblem,
  }) => {
    expectProblem(/ERR_FAILED/);
    await page.setViewportSize(screen);
    await createFrameOwner(context, baseURL!);
    await page.goto('/upload');
    const photoInput = page.locator('input[type=file][multiple]');
    await expect(photoInput).toBeEnabled();
    await photoInput.setInputFiles((await drawRealPhotos()).slice(1, 4));
    await expect(page.getByRole('button', { name: /^View / })).toHaveCount(3);
    await expect(page.getByText('3 of 20 photos').first()).toBeVisible();
    const expectNothingCovered = async (title: string) => {
      await expect(page.locator('ol li').filter({ hasText: title })).toBeVisible();
      // A notification stays while the visitor is in another window.
      await page.evaluate(() => window.dispatchEvent(new Event('blur')));
      await expect.poll(() => readCoveredControls(page)).toEqual([]);
    };
    const waitUntilItCloses = async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      await expect(page.locator('ol li[data-state]')).toHaveCount(0);
    };

    await test.step('the bar at the bottom stays visible', async () => {
      await photoInput.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
      await expectNothingCovered('Invalid file type');
      await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
      await expectNothingCovered('Invalid file type');
    });

    await test.step('the buttons of a dialog stay visible if the dialog opens below a notification', async () => {
      await page.getByRole('button', { name: "I'm Done" }).click();
      await expect(page.getByRole('button', { name: "Yes, I'm Done!" })).toBeVisible();
      await expectNothingCovered('Invalid file type');
      await waitUntilItCloses();
    });

    await test.step('the buttons of a dialog stay visible if its action fails', async () => {
      await page.route('**/api/uploads/finalize', (route) => route.abort());
      await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
      await expectNothingCovered('Finalization failed');
      // When the notification closes, the buttons stay where they are: otherwise a click at that moment would miss.
      const confirmButton = page.getByRole('button', { name: "Yes, I'm Done!" });
      const boxBefore = await confirmButton.boundingBox();
      await waitUntilItCloses();
      expect(await confirmButton.boundingBox()).toEqual(boxBefore);
      await page.keyboard.press('Escape');
    });

    await test.step('the buttons of a dialog that is higher than the screen stay visible', async () => {
      await page.route('**/api/uploads/*', (route) => route.abort());
      await page
        .getByRole('button', { name: /^View / })
        .first()
        .click();
      await page.getByLabel('Repair this old photo').check();
      await expectNothingCovered('Not saved');
      await page.getByRole('button', { name: 'Close', exact: true }).click({ trial: true });
    });
  });
