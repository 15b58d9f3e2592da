import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, drawRealPhotos, test } from './fixtures.ts';

const findPhotoInput = (page: Page) => page.locator('input[type=file][multiple]');
const readShownNames = (page: Page) =>
  page
    .getByRole('button', { name: /^View / })
    .evaluateAll((tiles) => tiles.map((it) => it.getAttribute('aria-label')!.replace('View ', '')));

test('each photo keeps its place, title, style and choice of moving parts @phone-only', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  await expect(findPhotoInput(page)).toBeEnabled();
  const [turned, drawing, modern, old, heic] = (await drawRealPhotos()) as [string, string, string, string, string];

  await test.step('a second tab waits for the first tab’s uploads, and continues them if that tab stops', async () => {
    page.on('dialog', (dialog) => void dialog.accept()); // leaving while photos are uploading
    await page.route('**/api/arrivals', () => {}); // the uploads never start
    await findPhotoInput(page).setInputFiles([turned, drawing, modern, old, heic]);
    await expect(page.getByText('5 photos uploading.').first()).toBeVisible();
    const otherTab = await context.newPage();
    await otherTab.goto('/upload', { waitUntil: 'networkidle' });
    await expect(findPhotoInput(otherTab)).toBeEnabled();
    await expect(otherTab.getByRole('button', { name: /^Cancel / })).toHaveCount(0);
    await page.goto('/');
    await expect(otherTab.getByText('5 of 20 photos').first()).toBeVisible({ timeout: 60_000 });
    await otherTab.close();
    await page.unroute('**/api/arrivals');
    await page.goto('/upload');
    await expect(page.getByText('5 of 20 photos').first()).toBeVisible();
  });

  await test.step('the page shows the photos first, with possible problems of each photo', async () => {
    const photosBox = (await page.getByRole('region', { name: 'Photos for Kinframe 1' }).boundingBox())!;
    const chooseButtonBox = (await page.getByRole('button', { name: 'Choose photos' }).boundingBox())!;
    expect(chooseButtonBox.y).toBeGreaterThan(photosBox.y);
    await expect(page.getByText('Small', { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('a duplicate photo is detected', async () => {
    await findPhotoInput(page).setInputFiles([drawing]);
    await expect(page.getByText('You already added this photo')).toBeVisible();
    await page.getByRole('button', { name: 'Skip it' }).click();
    await expect(page.getByText('You already added this photo')).toBeHidden();
  });

  await test.step('the second photo moves to the first place by keyboard', async () => {
    expect((await readShownNames(page)).toSorted()).toEqual(
      ['drawing.png', 'modern.webp', 'old.gif', 'phone.heic', 'turned.jpg'].toSorted(),
    );
    const [first, second] = await readShownNames(page);
    const savedResponsePromise = page.waitForResponse((it) => it.url().endsWith('/photo-order'));
    await page.getByRole('button', { name: `Move ${second}` }).focus();
    await page.keyboard.press('Space');
    await expect(page.getByText(`${second} is now at place 2 of 5.`)).toBeAttached();
    // The library listens to arrow keys a moment after Space. No one presses keys as fast as this test.
    await expect(async () => {
      await page.keyboard.press('ArrowLeft');
      await expect(page.getByText(`${second} is now at place 1 of 5.`)).toBeAttached({ timeout: 1000 });
    }).toPass();
    await page.keyboard.press('Space');
    await savedResponsePromise;
    expect((await readShownNames(page)).slice(0, 2)).toEqual([second, first]);
  });

  await test.step('the customer sets the first photo’s title and which parts may move', async () => {
    await page
      .getByRole('button', { name: /^View / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    const titleInVideoCheckbox = dialog.getByLabel('Show the title in the video');
    await expect(titleInVideoCheckbox).toBeDisabled();
    await expect(dialog.getByText('Give the photo a title first.')).toBeVisible();
    await dialog.getByLabel('Title of the video').fill('Сад');
    await expect(dialog.getByText('We can only show Latin letters')).toBeVisible();
    await dialog.getByLabel('Title of the video').fill('The garden');
    await titleInVideoCheckbox.check();
    await expect(dialog.getByRole('figure').getByText('The garden')).toBeVisible();
    const focusPoint = dialog.getByRole('button', { name: /^Focus point/ });
    await focusPoint.focus();
    await page.keyboard.press('ArrowRight');
    await expect(dialog.getByText('The video moves to the spot you chose.')).toBeVisible();
    await dialog.getByLabel('This is water: let it ripple').check();
    await dialog.getByLabel('There’s a candle or a lamp: let it glow').check();
    const candlePoint = dialog.getByRole('button', { name: /^Candle or lamp/ });
    const photoInDialog = dialog.getByRole('img').first();
    const { width, height } = (await photoInDialog.boundingBox())!;
    await photoInDialog.click({ position: { x: width / 4, y: height / 4 } });
    await expect(candlePoint).toHaveAccessibleName(/2[45]% from the left, 2[45]% from the top/);
    // Requests are sent one after the other, so when this one is saved, all earlier ones are too.
    const savedResponsePromise = page.waitForResponse(
      (it) => it.request().postData()?.includes('"living":false') === true,
    );
    await dialog.getByLabel('Keep the people in this photo still').check();
    await savedResponsePromise;
    await expectAccessible(page);
    const titleResponsePromise = page.waitForResponse(
      (it) => it.request().postData()?.includes('The garden in May') === true,
    );
    await dialog.getByLabel('Title of the video').fill('The garden in May');
    await page.keyboard.press('Escape'); // Escape is pressed while the field still has the focus
    await titleResponsePromise;
  });

  await test.step('all photos and their settings are still there after a reload', async () => {
    const shownNames = await readShownNames(page);
    await page.reload({ waitUntil: 'networkidle' });
    expect(await readShownNames(page)).toEqual(shownNames);
    await page
      .getByRole('button', { name: /^View / })
      .first()
      .click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByLabel('Title of the video')).toHaveValue('The garden in May');
    await expect(dialog.getByLabel('This is water: let it ripple')).toBeChecked();
    await expect(dialog.getByLabel('Show the title in the video')).toBeChecked();
    await expect(dialog.getByLabel('Keep the people in this photo still')).toBeChecked();
    await expect(dialog.getByRole('button', { name: /^Candle or lamp: 2[45]% from the left/ })).toBeVisible();
    await page.keyboard.press('Escape');
  });

  await test.step('the customer finalizes, and keeps the free places for later', async () => {
    await page.getByRole('button', { name: "I'm Done" }).click();
    await page.getByLabel('Let me add 15 more photos later').check();
    await expectAccessible(page);
    await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
    await expect(page).toHaveURL(/\/upload-complete\?finalized=true/);
    await page.goto('/upload');
    await expect(page.getByText('room for 15 more')).toBeVisible();
    await expect(page.getByText('We’ve locked the first 5 photos for Kinframe 1')).toBeVisible();
    await expect(page.getByText('You can add up to 15 more.')).toBeVisible();
    await expect(page.getByRole('button', { name: /^Delete / })).toHaveCount(0);
    await expect(page.getByRole('button', { name: /^Move / })).toHaveCount(0);
  });

  await test.step('the customer closes the free places', async () => {
    const doneButton = page.getByRole('button', { name: "I'm Done" });
    const dialog = page.getByRole('dialog');
    await doneButton.click();
    await expect(dialog.getByText('You won’t be able to add 15 more photos to Kinframe 1 anymore.')).toBeVisible();
    await expect(dialog.getByRole('checkbox')).toHaveCount(0);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await doneButton.click();
    await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
    await expect(page.getByText('Frame closed', { exact: true }).first()).toBeVisible();
    await expect(page.getByText('You’re done with Kinframe 1.')).toBeVisible();
    await expect(doneButton).toHaveCount(0);
  });
});
