import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import encodeQr from 'qr';
import sharp from 'sharp';
import { dayText } from '#contract/calendar.ts';
import { finishTwoPhotos, createFrameOwner } from './buying.ts';
import { expect, expectAccessible, test } from './fixtures.ts';

async function createPictureOfQrCode(text: string): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'kinframe-qr-')), 'frame.png');
  const rows = encodeQr(text, 'raw', { border: 4 });
  const dots = Buffer.from(rows.flat().map((isDark) => (isDark ? 0 : 255)));
  await sharp(dots, { raw: { width: rows.length, height: rows.length, channels: 1 } })
    .resize(600, 600, { kernel: 'nearest' })
    .toFile(path);
  return path;
}

test('when the frame arrives after the photos are done, its order links to the connection page @phone-only', async ({
  page,
  context,
  baseURL,
}) => {
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  await finishTwoPhotos(page);
  await page.goto('/orders');
  await page.locator('main a[href^="/orders/KF-"]').first().click();
  await page.getByRole('link', { name: 'Connect the frame' }).click();
  await expect(page).toHaveURL(/\/connect$/);
  await expect(page.getByRole('heading', { name: 'Connect your frame' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save connection details' }).click();
  await expect(page.getByText('No Information Provided').first()).toBeVisible();
  const guide = { name: 'guide.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
  await page.locator('input[name=qrPhoto]').setInputFiles(guide);
  await expect(page.getByText('Please upload a JPEG or PNG image.').first()).toBeVisible(); // the page refuses the file before it is uploaded
  await expect(page.getByText('guide.pdf')).toHaveCount(0);
  await page.locator('input[name=qrPhoto]').setInputFiles(await createPictureOfQrCode('INVITE-7QX4'));
  await expect(page.getByText('We can read the code in your photo.')).toBeVisible();
  await expect(page.getByLabel(/Invitation code/)).toHaveValue('INVITE-7QX4');
  await page.getByRole('button', { name: 'Save connection details' }).click();
  await expect(page.getByText('The details will be processed within 24 hours.').first()).toBeVisible();
  await expect(page.getByText(`Saved on ${dayText(Date.now())}.`)).toBeVisible();
  await expect(page.getByText('INVITE-7QX4')).toBeVisible();
  await expectAccessible(page);
});
