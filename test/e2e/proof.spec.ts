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
  const customer = await browser.newContext(phoneScreen);
  const email = await createFrameOwner(customer, baseURL!);
  const phone = await customer.newPage();
  await phone.goto('/upload');
  await finishTwoPhotos(phone);

  await signInAsOwner(owner);
  await owner.goto('/admin?tab=production');
  const review = owner.getByRole('dialog');
  const isToReview = (title: string) =>
    expect(owner.getByRole('article', { name: title }).getByText('To review')).toBeVisible({ timeout: 150_000 });
  const openPreview = (title: string) => owner.getByRole('button', { name: `Preview ${title}` }).click();
  await isToReview('turned.jpg');
  await isToReview('drawing.png');
  await openPreview('turned.jpg');
  await expect(review.getByText('turned.jpg')).toBeVisible();
  await owner.keyboard.press('a');
  await expect(review.getByText('drawing.png')).toBeVisible();
  await owner.keyboard.press('a');
  await expect(review).toHaveCount(0);
  await expect(owner.getByText(/^The customer can review until/)).toBeVisible();
  await expectAccessible(owner);

  await phone.goto(await waitForEmailedLink(email, /http\S+\/proof\/\S+/));
  await expect(phone.getByText('0 of 2 videos kept')).toBeVisible();
  await expectAccessible(phone);
  await phone.getByRole('button', { name: 'Keep it: Video 1' }).press('Enter');
  await expect(phone.getByText('1 of 2 videos kept')).toBeVisible();
  await expect(phone.getByRole('heading', { name: '1 of 2' })).toBeFocused(); // the buttons that had the focus have disappeared
  await phone.getByRole('button', { name: 'Different motion for Video 2' }).click();
  await phone.getByLabel('How should it move?').selectOption('vintage');
  await phone.getByLabel('What should we change?').fill('Closer to the roses, please');
  await phone.getByRole('button', { name: 'Make it again' }).click();
  await expect(phone.getByText('We’re making some videos again')).toBeVisible();
  await expect(phone.getByRole('heading', { name: '2 of 2' })).toBeFocused();

  await expect(owner.getByText('“Closer to the roses, please”')).toBeVisible();
  await expect(owner.getByText('The customer kept it')).toBeVisible();
  await isToReview('drawing.png');
  await openPreview('drawing.png');
  await expect(review.getByText('drawing.png')).toBeVisible();
  await owner.keyboard.press('a');
  await expect(owner.getByText(/^The customer can review until .+, round 2$/)).toBeVisible();

  await phone.reload();
  await phone.getByRole('button', { name: 'Keep it: Video 2' }).click();
  await expect(phone.getByText('All done')).toBeVisible();
  await expect(owner.getByText(/^Delivered after/)).toBeVisible();
  await phone.goto(await waitForEmailedLink(email, /http\S+\/delivery\/\S+/));
  const [archive] = await Promise.all([
    phone.waitForEvent('download'),
    phone.getByRole('link', { name: /download all/i }).click(),
  ]);
  expect(archive.suggestedFilename()).toMatch(/\.zip$/);
  const subjects = (await readMailsTo(email)).map((it) => it.subject);
  expect(subjects.filter((it) => it?.startsWith('Please look at'))).toHaveLength(2);
});
