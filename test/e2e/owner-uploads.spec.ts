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
  expectProblem(/503 .*\/api\/admin\/uploads/); // the test lets saving a note fail
  const email = await createFrameOwner(context, baseURL!);
  await signInAsOwner(page);
  await page.getByRole('searchbox').fill(email);
  const row = page.getByRole('button', { name: /KF-/ }).first();
  await row.click();
  const panel = page.getByRole('region', { name: /^Order KF-/ });
  await panel.getByRole('button', { name: 'Manage uploads' }).click();
  const uploadsDialog = page.getByRole('dialog', { name: 'Upload Management' });
  await expect(uploadsDialog.getByText('No uploads yet.')).toBeVisible();
  const { x, width } = (await uploadsDialog.boundingBox())!;
  expect(x + width).toBeLessThanOrEqual(page.viewportSize()!.width);
  await uploadsDialog.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText('Please select files to upload.').first()).toBeVisible();

  const [turned, drawing] = (await drawRealPhotos()) as [string, string];
  await uploadsDialog.getByLabel('Photos to add').setInputFiles([turned, drawing]);
  await uploadsDialog.getByRole('button', { name: 'Upload 2 photos' }).click();
  await expect(uploadsDialog.getByRole('listitem')).toHaveCount(2);
  await expectAccessible(page);

  const notesField = uploadsDialog.getByLabel('Notes on drawing.png');
  await notesField.fill('<img src=x onerror="alert(1)">');
  await notesField.blur();
  await expect(page.getByText('Notes saved').first()).toBeVisible();
  await test.step('notes do not overwrite another person’s notes, and closing with Escape saves them', async () => {
    await notesField.fill('Ask her');
    const photos = (await (await page.request.get('/api/admin/uploads')).json()) as Record<string, string>[];
    const { id } = photos.find((it) => it['originalFileName'] === 'drawing.png')!;
    const otherEdit = { data: { adminNotes: 'Too dark' }, headers: { origin: shopOrigin() } };
    expect((await page.request.put(`/api/admin/uploads/${id}`, otherEdit)).ok()).toBe(true);
    await notesField.blur();
    const conflictDialog = page.getByRole('dialog', { name: 'Someone else changed these notes' });
    await expect(conflictDialog.getByRole('listitem')).toHaveText(/Yours.*Ask her.*Theirs.*Too dark/s);
    await expectAccessible(page);
    await conflictDialog.getByRole('button', { name: 'Use theirs' }).click();
    await expect(notesField).toHaveValue('Too dark');
    await notesField.fill('Asked');
    await page.keyboard.press('Escape');
    await expect(uploadsDialog).toHaveCount(0);
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notesField).toHaveValue('Asked');
  });
  await test.step('closing notes that cannot be saved asks first', async () => {
    await page.route('**/api/admin/uploads/*', (route) => route.fulfill({ status: 503, json: {} }));
    await notesField.fill('Sharp enough?');
    const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.goBack();
    await expect(leaveDialog).toBeVisible();
    await expectAccessible(page);
    await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(notesField).toHaveValue('Sharp enough?');
    const isPromptedOnReload = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(await page.evaluate(isPromptedOnReload)).toBe(true);
    await uploadsDialog.getByRole('button', { name: 'Close' }).click();
    await leaveDialog.getByRole('button', { name: 'Discard changes' }).click();
    await expect(uploadsDialog).toHaveCount(0);
    await page.unroute('**/api/admin/uploads/*');
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notesField).toHaveValue('Asked');
  });
  await test.step('notes are saved when the page is left', async () => {
    await notesField.fill('Asked twice');
    await page.goBack();
    await expect(uploadsDialog).toHaveCount(0);
    await page.goForward();
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notesField).toHaveValue('Asked twice');
  });
  await test.step('the page is not left while newer notes are unsaved', async () => {
    let requestCount = 0;
    await page.route('**/api/admin/uploads/*', async (route) => {
      if (++requestCount > 1) return route.fulfill({ status: 503, json: {} });
      await notesField.fill('Asked four times');
      return route.continue();
    });
    await notesField.fill('Asked thrice');
    await page.goBack();
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Keep editing' })
      .click();
    await expect(notesField).toHaveValue('Asked four times');
    await page.unroute('**/api/admin/uploads/*');
    await uploadsDialog.getByRole('button', { name: 'Close' }).click();
    await expect(uploadsDialog).toHaveCount(0);
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notesField).toHaveValue('Asked four times');
  });
  await test.step('closing notes that another person has changed asks only one question', async () => {
    const photos = (await (await page.request.get('/api/admin/uploads')).json()) as Record<string, string>[];
    const { id } = photos.find((it) => it['originalFileName'] === 'drawing.png')!;
    await notesField.fill('Mine');
    const otherEdit = { data: { adminNotes: 'Theirs' }, headers: { origin: shopOrigin() } };
    expect((await page.request.put(`/api/admin/uploads/${id}`, otherEdit)).ok()).toBe(true);
    await page.keyboard.press('Escape');
    await page
      .getByRole('dialog', { name: 'Someone else changed these notes' })
      .getByRole('button', { name: 'Save mine instead' })
      .click();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await uploadsDialog.getByRole('button', { name: 'Close' }).click();
    await expect(uploadsDialog).toHaveCount(0);
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    await expect(notesField).toHaveValue('Mine');
  });
  const uploadItem = uploadsDialog.getByRole('listitem').filter({ hasText: 'drawing.png' });
  const [original] = await Promise.all([
    page.waitForEvent('download'),
    uploadItem.getByRole('link', { name: 'Original' }).click(),
  ]);
  expect(original.suggestedFilename()).toBe('drawing.png');
  expect((await stat(await original.path())).size).toBe((await stat(drawing)).size);
  await uploadItem.getByRole('button', { name: 'View' }).click();
  const shownElement = page.getByRole('dialog', { name: 'drawing.png' });
  await expect(shownElement.getByRole('img', { name: 'drawing.png' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(shownElement).toHaveCount(0);
  await uploadItem.getByRole('button', { name: 'Delete' }).click();
  const deleteDialog = page.getByRole('dialog', { name: 'Delete this upload?' });
  await deleteDialog.getByRole('button', { name: 'Delete' }).click();
  await expect(uploadsDialog.getByRole('listitem')).toHaveCount(1);
  // The focus moves to the delete button of the next photo.
  await expect(uploadsDialog.getByRole('listitem').getByRole('button', { name: 'Delete' })).toBeFocused();
  await uploadsDialog.getByRole('button', { name: 'Close' }).click();
  await expect(uploadsDialog).toHaveCount(0);

  const [all] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('link', { name: 'Download', exact: true }).click(),
  ]);
  expect(all.suggestedFilename()).toMatch(/^KF-.*-photos\.zip$/);
  expect((await stat(await all.path())).size).toBeGreaterThan((await stat(turned)).size);
  await expect(panel.getByText('Photo drawing.png deleted by us.')).toBeVisible();
});
