import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, expectNoHorizontalScroll, createTestPicture, test } from './fixtures.ts';

test('a photo is rotated and cropped by keyboard and pointer, and reset to the original @phone', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  const photoInput = page.locator('input[type=file][multiple]');
  await expect(photoInput).toBeEnabled();
  await photoInput.setInputFiles([await createTestPicture('kite.jpg', '#3377aa')]);
  const photoTile = page.getByRole('button', { name: 'View kite.jpg' });
  await photoTile.click();
  const dialog = page.getByRole('dialog', { name: 'Turn and crop' });
  const openCropDialog = () => page.getByRole('button', { name: 'Turn or crop' }).click();
  const cropArea = dialog.getByRole('button', { name: /^Crop: / });
  const cropCorner = dialog.getByRole('button', { name: 'Bottom right corner of the crop. Arrow keys move it.' });
  const saveButton = dialog.getByRole('button', { name: 'Save' });
  const photoInDialog = page.getByRole('dialog', { name: 'kite.jpg' }).getByRole('img').first();
  const readCropShape = () =>
    photoInDialog.evaluate((it: HTMLImageElement) => (it.complete ? it.naturalWidth / it.naturalHeight : 0));
  await expect.poll(readCropShape).toBeGreaterThan(0);
  const shapeBefore = await readCropShape();

  await test.step('the customer turns the photo, crops it with the arrow keys, and undoes steps', async () => {
    await openCropDialog();
    await expect(saveButton).toBeDisabled();
    await dialog.getByRole('button', { name: 'Turn right' }).click();
    await cropCorner.focus();
    for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowUp');
    await expect(cropArea).toHaveAccessibleName(/100% of the width, 80% of the height/);
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await expect(cropArea).toHaveAccessibleName(/100% of the width, 82% of the height/);
    await cropCorner.focus();
    await page.keyboard.press('ArrowUp');
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
  });

  await test.step('the saved crop is shown in the dialog and on the photo’s tile', async () => {
    await saveButton.click();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await expect.poll(readCropShape).toBeCloseTo(1 / shapeBefore / 0.8, 1);
  });

  await test.step('the customer drags a corner, then resets the crop to the whole photo', async () => {
    await openCropDialog();
    const cornerBox = (await cropCorner.boundingBox())!;
    await page.mouse.move(cornerBox.x + cornerBox.width / 2, cornerBox.y + cornerBox.height / 2);
    await page.mouse.down();
    await page.mouse.move(cornerBox.x - 60, cornerBox.y - 40, { steps: 3 });
    await page.mouse.up();
    await expect(cropArea).not.toHaveAccessibleName(/100% of the width/);
    await dialog.getByRole('button', { name: 'Whole photo' }).click();
    await saveButton.click();
    await expect(dialog).toBeHidden();
    await expect.poll(readCropShape).toBeCloseTo(shapeBefore, 1);
  });

  await test.step('a crop from another window with an outdated picture is refused, and the window then shows the new picture', async () => {
    const otherTab = await context.newPage();
    await otherTab.goto('/upload');
    await otherTab.getByRole('button', { name: 'View kite.jpg' }).click();
    await otherTab.getByRole('button', { name: 'Turn or crop' }).click();
    await openCropDialog();
    await dialog.getByRole('button', { name: 'Turn left' }).click();
    await saveButton.click();
    await expect(dialog).toBeHidden();
    const otherDialog = otherTab.getByRole('dialog', { name: 'Turn and crop' });
    await otherDialog.getByRole('button', { name: 'Turn right' }).click();
    await otherDialog.getByRole('button', { name: 'Save' }).click();
    // A notification’s text is on the page twice while a screen reader announces it.
    await expect(otherTab.getByText(/turned or cropped in another window/).first()).toBeVisible();
    await expect(otherDialog.getByRole('button', { name: 'Undo' })).toBeDisabled();
    await expect(otherDialog.getByRole('button', { name: 'Whole photo' })).toBeEnabled();
  });
});
