import { finishTwoPhotos, createFrameOwner } from './buying.ts';
import { expect, expectAccessible, waitForEmailedLink, readMailsTo, signInAsOwner, test } from './fixtures.ts';
import { phoneScreen } from './screens.ts';

test.use({ settings: { PROOF: 'after' } });

test('the owner approves by keyboard; the customer asks for one redo, keeps both videos, and downloads all', async ({
  page: owner,
  browser,
  baseURL,
}) => {
  test.setTimeout(400_000); // three videos are made
  const customerContext = await browser.newContext(phoneScreen);
  const email = await createFrameOwner(customerContext, baseURL!);
  const phonePage = await customerContext.newPage();
  await phonePage.goto('/upload');
  await finishTwoPhotos(phonePage);

  await signInAsOwner(owner);
  await owner.goto('/admin?tab=production');
  const reviewDialog = owner.getByRole('dialog');
  const isToReview = (title: string) =>
    expect(owner.getByRole('article', { name: title }).getByText('To review')).toBeVisible({ timeout: 150_000 });
  const openPreview = (title: string) => owner.getByRole('button', { name: `Preview ${title}` }).click();
  await isToReview('turned.jpg');
  await isToReview('drawing.png');
  await openPreview('turned.jpg');
  await expect(reviewDialog.getByText('turned.jpg')).toBeVisible();
  await owner.keyboard.press('a');
  await expect(reviewDialog.getByText('drawing.png')).toBeVisible();
  await owner.keyboard.press('a');
  await expect(reviewDialog).toHaveCount(0);
  await expect(owner.getByText(/^The customer can review until/)).toBeVisible();
  await expectAccessible(owner);

  await phonePage.goto(await waitForEmailedLink(email, /http\S+\/proof\/\S+/));
  await expect(phonePage.getByText('0 of 2 videos kept')).toBeVisible();
  await expectAccessible(phonePage);
  await phonePage.getByRole('button', { name: 'Keep it: Video 1' }).press('Enter');
  await expect(phonePage.getByText('1 of 2 videos kept')).toBeVisible();
  await expect(phonePage.getByRole('heading', { name: '1 of 2' })).toBeFocused(); // the buttons that had the focus have disappeared
  await phonePage.getByRole('button', { name: 'Different motion for Video 2' }).click();
  await phonePage.getByLabel('How should it move?').selectOption('vintage');
  await phonePage.getByLabel('What should we change?').fill('Closer to the roses, please');
  await phonePage.getByRole('button', { name: 'Make it again' }).click();
  await expect(phonePage.getByText('We’re making some videos again')).toBeVisible();
  await expect(phonePage.getByRole('heading', { name: '2 of 2' })).toBeFocused();

  await expect(owner.getByText('“Closer to the roses, please”')).toBeVisible();
  await expect(owner.getByText('The customer kept it')).toBeVisible();
  await isToReview('drawing.png');
  await openPreview('drawing.png');
  await expect(reviewDialog.getByText('drawing.png')).toBeVisible();
  await owner.keyboard.press('a');
  await expect(owner.getByText(/^The customer can review until .+, round 2$/)).toBeVisible();

  await phonePage.reload();
  await phonePage.getByRole('button', { name: 'Keep it: Video 2' }).click();
  await expect(phonePage.getByText('All done')).toBeVisible();
  await expect(owner.getByText(/^Delivered after/)).toBeVisible();
  await phonePage.goto(await waitForEmailedLink(email, /http\S+\/delivery\/\S+/));
  const [archive] = await Promise.all([
    phonePage.waitForEvent('download'),
    phonePage.getByRole('link', { name: /download all/i }).click(),
  ]);
  expect(archive.suggestedFilename()).toMatch(/\.zip$/);
  const subjects = (await readMailsTo(email)).map((it) => it.subject);
  expect(subjects.filter((it) => it?.startsWith('Please look at'))).toHaveLength(2);
});
