import { customerRose } from './delivered-order.ts';
import { waitForHydration, expect, expectAccessible, waitForEmailedLink, signInAsOwner, test } from './fixtures.ts';

test.use({ settings: { E2E_DELIVERED: 'on' } });

/** A text that opens a dialog if a page treats it as markup or as the end of a script. */
const reviewText = 'Grandma laughed.</script><img src=x onerror=alert(1)>\nThe kite does fly.';

test('a buyer writes a requested review, the owner publishes it, and the buyer deletes it @phone-only', async ({
  page,
  browser,
  baseURL,
}) => {
  const openedDialogs: string[] = [];
  page.on('dialog', (dialog) => {
    openedDialogs.push(dialog.message());
    void dialog.dismiss();
  });
  const reviewLink = await waitForEmailedLink(customerRose.email, /http\S+\/review\/\S+/);
  const card = page.locator('main').getByRole('heading', { name: 'Kinframe Digital Picture Frame' }).locator('../..');

  await test.step('the buyer chooses stars by keyboard, writes, and allows one video to be shown', async () => {
    const pageResponse = await page.goto(reviewLink);
    expect([pageResponse?.headers()['referrer-policy'], pageResponse?.headers()['cache-control']]).toEqual([
      'no-referrer',
      'private, no-store',
    ]);
    expect(await pageResponse!.text()).toContain('<meta name="robots" content="noindex"/>');
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Send my review' }).click();
    await expect(page.getByText('Please choose one to five stars')).toBeVisible();
    await expect(page.getByText('Please write a few words of your own')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('radio', { name: '1 star', exact: true }).focus();
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
    await expect(page.getByText('Very nice')).toBeVisible();
    await page.getByLabel('In your words').fill(reviewText);
    await expect(page.getByLabel('Your name on the review')).toHaveValue('Rose W.');
    await page.getByLabel('Show one of my videos with it').check();
    await page.getByRole('button', { name: 'Send my review' }).click();
    await expect(page.getByText('Please choose the video')).toBeVisible();
    await page.getByRole('radio', { name: 'The kite' }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send my review' }).click();
    await expect(card.getByText('We’re reading it')).toBeVisible();
    await expect(card.getByText('With your video “The kite”')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the buyer changes the review before the owner has read it', async () => {
    await card.getByRole('button', { name: 'Change it' }).click();
    await expect(page.getByLabel('In your words')).toHaveValue(reviewText);
    await expect(page.getByRole('radio', { name: '4 stars' })).toBeChecked();
    await page.getByRole('radio', { name: '5 stars' }).check();
    await page.getByRole('button', { name: 'Send the changes' }).click();
    await expect(card.getByText('5 of 5 stars')).toBeAttached();
  });

  const productUrl = `${baseURL}/product/kinframe`;
  const readRating = async () =>
    /"aggregateRating":\{[^}]*\}/.exec(await (await page.request.get(productUrl)).text())?.[0].replaceAll('"', '');
  expect(await readRating()).toContain('reviewCount:127');

  const ownerPage = await (await browser.newContext({ baseURL: baseURL!, viewport: page.viewportSize() })).newPage();
  await test.step('the owner opens the review from the to-do list, publishes it, and answers it', async () => {
    await signInAsOwner(ownerPage);
    const todoListButton = ownerPage.getByRole('button', { name: /Your to-do list$/ }); // on a phone
    const waitingLink = ownerPage.getByRole('link', { name: '1 review to read' });
    await expect(todoListButton.or(waitingLink)).toBeVisible();
    if (await todoListButton.isVisible()) await todoListButton.click();
    await waitingLink.click();
    const reviewArticle = ownerPage.getByRole('article', { name: 'Review by Rose W.' });
    await expect(reviewArticle.getByText('Grandma laughed.</script>')).toBeVisible();
    await expectAccessible(ownerPage);
    await reviewArticle.getByRole('button', { name: 'Answer...' }).click();
    await ownerPage.getByLabel('Your answer').fill('Thank you, Rose.');
    await expectAccessible(ownerPage);
    await ownerPage.getByRole('button', { name: 'Save answer' }).click();
    await expect(reviewArticle.getByText('Thank you, Rose.')).toBeVisible();
    await reviewArticle.getByRole('button', { name: 'Approve' }).click();
    await expect(ownerPage.getByText('No review matches')).toBeVisible(); // no review is left to read
    await expect(ownerPage.getByRole('link', { name: '1 review to read' })).toHaveCount(0);
  });

  await test.step('the review is on the product’s page, with its video and in the structured data', async () => {
    expect(await readRating()).toContain('ratingValue:5,reviewCount:1,');
    const answer = await page.goto(productUrl);
    expect(await answer!.text()).toContain('The kite does fly.'); // in the HTML, before any script
    await page.getByRole('link', { name: '5.0 of 5, from 1 review' }).click();
    const reviewArticle = page.getByRole('article').filter({ hasText: 'The kite does fly.' });
    await expect(reviewArticle.getByText('Thank you, Rose.')).toBeVisible();
    await expect(reviewArticle.getByText('Rose W.', { exact: true })).toBeVisible();
    const video = reviewArticle.locator('video');
    await waitForHydration(page);
    await reviewArticle.getByRole('button', { name: 'Play video: A video made for Rose W.' }).click();
    await expect.poll(() => video.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeGreaterThan(0);
    await video.evaluate((it: HTMLVideoElement) => it.pause());
    await expectAccessible(page);
  });
  const videoUrl = (await page.locator('article video').getAttribute('src'))!;
  expect((await page.request.get(videoUrl)).status()).toBe(200);

  await test.step('the buyer deletes the review, and it is removed everywhere', async () => {
    await page.goto(reviewLink);
    await expect(card.getByText('On our page', { exact: true })).toBeVisible();
    await waitForHydration(page);
    await card.getByRole('button', { name: 'Delete it' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await expect(card.getByText('You haven’t written a review yet.')).toBeVisible();
    expect((await page.request.get(videoUrl)).status()).toBe(404);
    expect(await readRating()).toContain('reviewCount:127');
    await page.goto(productUrl);
    await expect(page.getByText('Already own a Wi-Fi frame?')).toBeVisible();
    await expect(page.getByText('What buyers say')).toHaveCount(0);
    await page.goto('/review/none');
    await expect(page.getByText('This review link has expired or is invalid.')).toBeVisible();
    await expectAccessible(page);
  });
  expect(openedDialogs).toEqual([]);
});
