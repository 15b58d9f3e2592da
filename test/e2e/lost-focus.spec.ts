import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { waitForHydration, expect, realPhotos, test } from './fixtures.ts';

const album = (page: Page) => page.locator('input[type=file][multiple]');
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** Presses a button with the keyboard. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await button(page, name).focus();
  await page.keyboard.press('Enter');
}
async function confirm(page: Page, words: string): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('button', { name: words, exact: true }).focus();
  await page.keyboard.press('Enter');
}

test('the focus stays among the photos when a photo is deleted by keyboard', async ({ page, context, baseURL }) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  await expect(album(page)).toBeEnabled();
  for (const photo of (await realPhotos()).slice(0, 4)) {
    await album(page).setInputFiles(photo);
    await expect(button(page, `Delete ${photo.split('/').at(-1)}`)).toBeVisible({ timeout: 60_000 });
  }
  await press(page, 'Delete drawing.png');
  await confirm(page, 'Delete');
  await expect(button(page, 'Delete modern.webp')).toBeFocused();
  await press(page, 'Delete old.gif');
  await confirm(page, 'Delete');
  await expect(button(page, 'Delete modern.webp')).toBeFocused(); // after the last photo, the focus moves back

  // Delete photos in the large view, too. Canceling returns the focus to the delete button.
  await press(page, 'View modern.webp');
  await press(page, 'Delete photo');
  await page.keyboard.press('ArrowRight'); // the arrow key does not change the photo behind the question
  await confirm(page, 'Cancel');
  await expect(page.getByRole('dialog', { name: 'modern.webp' })).toBeVisible();
  await expect(button(page, 'Delete photo')).toBeFocused();
  await press(page, 'Delete photo');
  await confirm(page, 'Delete');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(button(page, /^(View|Delete) turned\.jpg$/).and(page.locator(':focus'))).toBeVisible();
  await press(page, 'Delete turned.jpg');
  await confirm(page, 'Delete');
  await expect(page.getByRole('heading', { name: 'Photos for Kinframe 1' })).toBeFocused();
});

test('canceling an upload by keyboard moves the focus to the next upload', async ({ page, context, baseURL }) => {
  await createFrameOwner(context, baseURL!);
  await page.route('**/api/arrivals', () => {}); // the uploads never start
  await page.goto('/upload');
  await expect(album(page)).toBeEnabled();
  await album(page).setInputFiles((await realPhotos()).slice(0, 3));
  await press(page, 'Cancel drawing.png');
  await expect(button(page, 'Cancel modern.webp')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Cancel turned.jpg')).toBeFocused(); // after the last upload, the focus moves back
  await page.keyboard.press('Enter');
  await expect(page.getByText('No photos yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Photos for Kinframe 1' })).toBeFocused();
});

test('the focus stays with a photo that is retried by keyboard', async ({ page, context, baseURL, expectProblem }) => {
  expectProblem(/500/);
  await createFrameOwner(context, baseURL!);
  await page.route('**/api/arrivals', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/upload');
  await expect(album(page)).toBeEnabled();
  await album(page).setInputFiles((await realPhotos()).slice(0, 1));
  await button(page, 'Retry turned.jpg').waitFor();
  await page.unroute('**/api/arrivals');
  await page.route('**/api/arrivals', () => {});
  await press(page, 'Retry turned.jpg');
  await expect(button(page, 'Cancel turned.jpg')).toBeFocused();
});

test('the focus stays in place when contributors’ photos are accepted or removed by keyboard', async ({
  page,
  browser,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  await waitForHydration(page);
  await press(page, 'Make a link to share');
  await page.getByLabel('What are the photos for?').fill('Grandma’s eightieth');
  await confirm(page, 'Make the link');
  await expect(page.getByRole('img', { name: 'QR code of the link for adding photos' })).toBeVisible();
  const url = (await page.getByRole('dialog').locator('.font-mono').textContent())!;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Let your family help' })).toBeFocused(); // the button has disappeared

  const lina = await (await browser.newContext()).newPage();
  await lina.goto(url);
  await waitForHydration(lina);
  await lina.getByLabel('Your first name').fill('Lina');
  await lina.getByRole('button', { name: 'Add photos' }).click();
  await expect(album(lina)).toBeEnabled();
  for (const photo of (await realPhotos()).slice(0, 4)) {
    await album(lina).setInputFiles(photo);
    await expect(button(lina, `Delete ${photo.split('/').at(-1)}`)).toBeVisible({ timeout: 60_000 });
  }
  await press(lina, 'Delete old.gif');
  await confirm(lina, 'Delete');
  await expect(button(lina, 'Delete modern.webp')).toBeFocused();

  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('3 photos from your family are waiting for you to accept.')).toBeVisible();
  await press(page, 'Pause');
  await expect(button(page, 'Resume')).toBeFocused();
  await press(page, 'Resume');
  await expect(button(page, 'Pause')).toBeFocused();
  await press(page, 'Remove turned.jpg from Lina');
  await confirm(page, 'Delete');
  await expect(button(page, 'Remove drawing.png from Lina')).toBeFocused();
  await press(page, 'Accept drawing.png from Lina');
  await expect(page.getByText('In Kinframe 1', { exact: true })).toBeFocused(); // replaces the button
  await press(page, 'End it');
  await confirm(page, 'End it');
  await expect(page.getByRole('heading', { name: 'Let your family help' })).toBeFocused();
  await press(page, 'Remove modern.webp from Lina');
  await confirm(page, 'Delete');
  await expect(page.getByRole('heading', { name: /^Lina added 1 photo/ })).toBeFocused();
});

test('closing a form of the account by keyboard returns the focus to the button that opened it', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/account');
  await waitForHydration(page);
  for (const what of ['name', 'email', 'password']) {
    await press(page, `Change ${what}`);
    // The form moves the focus to its first field. Before that, Enter would go to the field and not to the button.
    await expect(
      page
        .getByRole('form', { name: `Change ${what}` })
        .locator('input:visible')
        .first(),
    ).toBeFocused();
    await press(page, 'Cancel');
    await expect(button(page, `Change ${what}`)).toBeFocused();
  }
  await press(page, 'Change name');
  await page.getByLabel('First name').fill('Annika');
  await page.keyboard.press('Enter');
  await expect(button(page, 'Change name')).toBeFocused();
});
