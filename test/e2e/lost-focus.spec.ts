import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { waitForHydration, expect, drawRealPhotos, test } from './fixtures.ts';

const findPhotoInput = (page: Page) => page.locator('input[type=file][multiple]');
const findButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
/** Presses a button with the keyboard. */
async function pressButton(page: Page, name: string | RegExp): Promise<void> {
  await findButton(page, name).focus();
  await page.keyboard.press('Enter');
}
async function confirmDialog(page: Page, words: string): Promise<void> {
  const dialog = page.getByRole('dialog').last();
  await dialog.getByRole('button', { name: words, exact: true }).focus();
  await page.keyboard.press('Enter');
}

test('the focus stays among the photos when a photo is deleted by keyboard', async ({ page, context, baseURL }) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  for (const photo of (await drawRealPhotos()).slice(0, 4)) {
    await findPhotoInput(page).setInputFiles(photo);
    await expect(findButton(page, `Delete ${photo.split('/').at(-1)}`)).toBeVisible({ timeout: 60_000 });
  }
  await pressButton(page, 'Delete drawing.png');
  await confirmDialog(page, 'Delete');
  await expect(findButton(page, 'Delete modern.webp')).toBeFocused();
  await pressButton(page, 'Delete old.gif');
  await confirmDialog(page, 'Delete');
  await expect(findButton(page, 'Delete modern.webp')).toBeFocused(); // after the last photo, the focus moves back

  // Delete photos in the large view, too. Canceling returns the focus to the delete button.
  await pressButton(page, 'View modern.webp');
  await pressButton(page, 'Delete photo');
  await page.keyboard.press('ArrowRight'); // the arrow key does not change the photo behind the dialog
  await confirmDialog(page, 'Cancel');
  await expect(page.getByRole('dialog', { name: 'modern.webp' })).toBeVisible();
  await expect(findButton(page, 'Delete photo')).toBeFocused();
  await pressButton(page, 'Delete photo');
  await confirmDialog(page, 'Delete');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(findButton(page, /^(View|Delete) turned\.jpg$/).and(page.locator(':focus'))).toBeVisible();
  await pressButton(page, 'Delete turned.jpg');
  await confirmDialog(page, 'Delete');
  await expect(page.getByRole('heading', { name: 'Photos for Kinframe 1' })).toBeFocused();
});

test('canceling an upload by keyboard moves the focus to the next upload', async ({ page, context, baseURL }) => {
  await createFrameOwner(context, baseURL!);
  await page.route('**/api/arrivals', () => {}); // the uploads never start
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  await findPhotoInput(page).setInputFiles((await drawRealPhotos()).slice(0, 3));
  await pressButton(page, 'Cancel drawing.png');
  await expect(findButton(page, 'Cancel modern.webp')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(findButton(page, 'Cancel turned.jpg')).toBeFocused(); // after the last upload, the focus moves back
  await page.keyboard.press('Enter');
  await expect(page.getByText('No photos yet')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Photos for Kinframe 1' })).toBeFocused();
});

test('the focus stays with a photo that is retried by keyboard', async ({ page, context, baseURL, expectProblem }) => {
  expectProblem(/500/);
  await createFrameOwner(context, baseURL!);
  await page.route('**/api/arrivals', (route) => route.fulfill({ status: 500, json: {} }));
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  await findPhotoInput(page).setInputFiles((await drawRealPhotos()).slice(0, 1));
  await findButton(page, 'Retry turned.jpg').waitFor();
  await page.unroute('**/api/arrivals');
  await page.route('**/api/arrivals', () => {});
  await pressButton(page, 'Retry turned.jpg');
  await expect(findButton(page, 'Cancel turned.jpg')).toBeFocused();
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
  await pressButton(page, 'Make a link to share');
  await page.getByLabel('What are the photos for?').fill('Grandma’s eightieth');
  await confirmDialog(page, 'Make the link');
  await expect(page.getByRole('img', { name: 'QR code of the link for adding photos' })).toBeVisible();
  const url = (await page.getByRole('dialog').locator('.font-mono').textContent())!;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Let your family help' })).toBeFocused(); // the button has disappeared

  const linaPage = await (await browser.newContext()).newPage();
  await linaPage.goto(url);
  await waitForHydration(linaPage);
  await linaPage.getByLabel('Your first name').fill('Lina');
  await linaPage.getByRole('button', { name: 'Add photos' }).click();
  await expect(findPhotoInput(linaPage)).toBeEnabled();
  for (const photo of (await drawRealPhotos()).slice(0, 4)) {
    await findPhotoInput(linaPage).setInputFiles(photo);
    await expect(findButton(linaPage, `Delete ${photo.split('/').at(-1)}`)).toBeVisible({ timeout: 60_000 });
  }
  await pressButton(linaPage, 'Delete old.gif');
  await confirmDialog(linaPage, 'Delete');
  await expect(findButton(linaPage, 'Delete modern.webp')).toBeFocused();

  await page.reload();
  await waitForHydration(page);
  await expect(page.getByText('3 photos from your family are waiting for you to accept.')).toBeVisible();
  await pressButton(page, 'Pause');
  await expect(findButton(page, 'Resume')).toBeFocused();
  await pressButton(page, 'Resume');
  await expect(findButton(page, 'Pause')).toBeFocused();
  await pressButton(page, 'Remove turned.jpg from Lina');
  await confirmDialog(page, 'Delete');
  await expect(findButton(page, 'Remove drawing.png from Lina')).toBeFocused();
  await pressButton(page, 'Accept drawing.png from Lina');
  await expect(page.getByText('In Kinframe 1', { exact: true })).toBeFocused(); // this text replaces the pressed button
  await pressButton(page, 'End it');
  await confirmDialog(page, 'End it');
  await expect(page.getByRole('heading', { name: 'Let your family help' })).toBeFocused();
  await pressButton(page, 'Remove modern.webp from Lina');
  await confirmDialog(page, 'Delete');
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
  for (const fieldName of ['name', 'email', 'password']) {
    await pressButton(page, `Change ${fieldName}`);
    // The form moves the focus to its first field. Before that, Enter would go to the field and not to the button.
    await expect(
      page
        .getByRole('form', { name: `Change ${fieldName}` })
        .locator('input:visible')
        .first(),
    ).toBeFocused();
    await pressButton(page, 'Cancel');
    await expect(findButton(page, `Change ${fieldName}`)).toBeFocused();
  }
  await pressButton(page, 'Change name');
  await page.getByLabel('First name').fill('Annika');
  await page.keyboard.press('Enter');
  await expect(findButton(page, 'Change name')).toBeFocused();
});
