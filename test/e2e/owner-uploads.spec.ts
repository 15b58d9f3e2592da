import { stat } from 'node:fs/promises';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, shopOrigin, drawRealPhotos, signInAsOwner, test } from './fixtures.ts';

test('the owner adds photos for a customer, writes notes, and views, downloads and deletes the photos @phone', async ({
  page,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/409 .*\/api\/admin\/uploads/); // the second of two owners who save at once is refused
  expectProblem(/503 .*\/api\/admin\/uploads/); // notes that cannot be saved
  const email = await createFrameOwner(context, baseURL!);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  const row = page.getByRole('button', { name: /KF-/ }).first();
  await row.click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Manage uploads' }).click();
  const uploads = page.getByRole('dialog', { name: 'Upload Management' });
  await expect(uploads.getByText('No uploads yet.')).toBeVisible();
  const { x, width } = (await uploads.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(page.viewportSize()!.width);
  await uploads.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('Please select files to upload.').first()).toBeVisible();

  const [turned, drawing] = (await drawRealPhotos()) as [string, string];
  await uploads.getByLabel('Photos to add').setInputFiles([turned, drawing]);
  await uploads.getByRole('button', { name: 'Upload 2 photos' }).click();
  await expect(uploads.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);

  const notes = uploads.getByLabel('Notes on drawing.png');
  await notes.fill('<img src=x onerror="alert(1)">');
  await notes.blur();
  await expect(page.getByText('Notes saved').first()).toBeVisible();
  await test.step('notes do not overwrite another person’s notes, and closing with Escape saves them', async () => {
    await notes.fill('Ask her');
    const photos = (await (await page.request.get('/api/admin/uploads')).json()) as Record<string, string>[];
    const { id } = photos.find((it) => it['originalFileName'] === 'drawing.png')!;
    const otherEdit = { data: { adminNotes: 'Too dark' }, headers: { origin: shopOrigin() } };
    expect((await page.request.put(`/api/admin/uploads/${id}`, otherEdit)).ok()).toBe(true);
    await notes.blur();
    const choice = page.getByRole('dialog', { name: 'Someone else changed these notes' });
    await expect(choice.getByRole('listitem')).toHaveText(/Yours.*Ask her.*Theirs.*Too dark/s);
    await expectAccessible(page);
    await choice.getByRole('button', { name: 'Use theirs' }).click();
    await expect(notes).toHaveValue('Too dark');
    await notes.fill('Asked');
    await page.keyboard.press('Escape');
    await expect(uploads).toHaveCount(0);
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notes).toHaveValue('Asked');
  });
  await test.step('closing notes that cannot be saved asks first', async () => {
    await page.route('**/api/admin/uploads/*', (route) => route.fulfill({ status: 503, json: {} }));
    await notes.fill('Sharp enough?');
    const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.goBack();
    await expect(leaveDialog).toBeVisible();
    await expectAccessible(page);
    await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(notes).toHaveValue('Sharp enough?');
    const isPromptedOnReload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(await page.evaluate(isPromptedOnReload)).toBe(true);
    await uploads.getByRole('button', { name: 'Close' }).click();
    await leaveDialog.getByRole('button', { name: 'Discard changes' }).click();
    await expect(uploads).toHaveCount(0);
    await page.unroute('**/api/admin/uploads/*');
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notes).toHaveValue('Asked');
  });
  await test.step('notes are saved when the page is left', async () => {
    await notes.fill('Asked twice');
    await page.goBack();
    await expect(uploads).toHaveCount(0);
    await page.goForward();
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notes).toHaveValue('Asked twice');
  });
  await test.step('the page is not left while newer notes are unsaved', async () => {
    let requestCount = 0;
    await page.route('**/api/admin/uploads/*', async (route) => {
      if (++requestCount > 1) return route.fulfill({ status: 503, json: {} });
      await notes.fill('Asked four times');
      return route.continue();
    });
    await notes.fill('Asked thrice');
    await page.goBack();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await expect(notes).toHaveValue('Asked four times');
    await page.unroute('**/api/admin/uploads/*');
    await uploads.getByRole('button', { name: 'Close' }).click();
    await expect(uploads).toHaveCount(0);
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notes).toHaveValue('Asked four times');
  });
  await test.step('closing notes that another person has changed asks only one question', async () => {
    const photos = (await (await page.request.get('/api/admin/uploads')).json()) as Record<string, string>[];
    const { id } = photos.find((it) => it['originalFileName'] === 'drawing.png')!;
    await notes.fill('Mine');
    const otherEdit = { data: { adminNotes: 'Theirs' }, headers: { origin: shopOrigin() } };
    expect((await page.request.put(`/api/admin/uploads/${id}`, otherEdit)).ok()).toBe(true);
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Someone else changed these notes' })
      .getByRole('button', { name: 'Save mine instead' })
      .click();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await uploads.getByRole('button', { name: 'Close' }).click();
    await expect(uploads).toHaveCount(0);
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notes).toHaveValue('Mine');
  });
  const item = uploads.getByRole('listitem').filter({ hasText: 'drawing.png' });
  const [original] = await Promise.all([
    page.waitForEvent('download'),
    item.getByRole('link', { name: 'Original' }).click(),
  ]);
  expect(original.suggestedFilename()).toBe('drawing.png');
  expect((await stat(await original.path())).size).toBe((await stat(drawing)).size);
  await item.getByRole('button', { name: 'View' }).click();
  const shownElement = page.getByRole('dialog', { name: 'drawing.png' });
  await expect(shownElement.getByRole('img', { name: 'drawing.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shownElement).toHaveCount(0);
  await item.getByRole('button', { name: 'Delete' }).click();
  const deleteDialog = page.getByRole('dialog', { name: 'Delete this upload?' });
  await deleteDialog.getByRole('button', { name: 'Delete' }).click();
  await expect(uploads.getByRole('listitem')).toHaveCount(1);
  // The focus moves to the delete button of the next photo.
  await expect(uploads.getByRole('listitem').getByRole('button', { name: 'Delete' })).toBeFocused();
  await uploads.getByRole('button', { name: 'Close' }).click();
  await expect(uploads).toHaveCount(0);

  const [all] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('link', { name: 'Download', exact: true }).click(),
  ]);
  expect(all.suggestedFilename()).toMatch(/^KF-.*-photos\.zip$/);
  expect((await stat(await all.path())).size).toBeGreaterThan((await stat(turned)).size);
  await expect(panel.getByText('Photo drawing.png deleted by us.')).toBeVisible();
});
