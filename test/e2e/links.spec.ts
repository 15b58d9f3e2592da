import type { Page } from '@playwright/test';
import { createFrameOwner } from './buying.ts';
import { expect, expectAccessible, waitForEmailedLink, drawRealPhotos, signInAsOwner, test } from './fixtures.ts';

const findPhotoInput = (page: Page) => page.getByLabel('Photo files');

test('the owner makes an upload link, and its customer adds, deletes and finalizes without signing in @phone-only', async ({
  page,
  browser,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of 403/); // the response to a link that was ended
  const customerContext = await browser.newContext();
  const email = await createFrameOwner(customerContext, baseURL!);
  await customerContext.clearCookies();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await signInAsOwner(page);
  await page.goto(`/admin?tab=orders&q=${encodeURIComponent(email)}`);
  await page
    .getByRole('button', { name: /^Order |Anna Keller|KF-/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Generate upload link' }).click();
  await expect(page.getByText(/expires in 7 days\. We also emailed a link to the customer/).first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/customer-upload?token=');

  const guestPage = await customerContext.newPage();
  await guestPage.goto(await waitForEmailedLink(email, /\S+\/customer-upload\?token=[\w-]+/));
  await expect(guestPage).toHaveURL(/\/customer-upload$/); // the token is no longer in the address
  await expect(guestPage.getByText('Welcome, Anna Keller')).toBeVisible();
  await expect(findPhotoInput(guestPage)).toBeEnabled();
  await expectAccessible(guestPage);
  await guestPage.getByRole('button', { name: "I'm Done" }).click();
  await expect(guestPage.getByText('Please upload at least one photo before finalizing.').first()).toBeVisible();
  await findPhotoInput(guestPage).setInputFiles((await drawRealPhotos()).slice(0, 3));
  await expect(guestPage.getByText('3 photos', { exact: true })).toBeVisible({ timeout: 60_000 });
  await findPhotoInput(guestPage).setInputFiles((await drawRealPhotos()).slice(0, 2));
  await expect(guestPage.getByText('You already added these photos')).toBeVisible();
  await expectAccessible(guestPage);
  await guestPage.getByRole('button', { name: 'Skip them' }).click();
  await expect(guestPage.getByText('You already added these photos')).toHaveCount(0);
  await expect(guestPage.getByText('3 photos', { exact: true })).toBeVisible();
  await guestPage
    .getByRole('button', { name: 'Delete old.gif' })
    .or(guestPage.getByRole('button', { name: 'Delete drawing.png' }))
    .first()
    .click();
  await expect(
    guestPage.getByText(/Are you sure you want to delete "\S+"\? This action cannot be undone\./),
  ).toBeVisible();
  await guestPage.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(guestPage.getByText('2 photos', { exact: true })).toBeVisible();
  await guestPage.reload(); // the cookie alone gives access
  await expect(guestPage.getByRole('button', { name: /^View / })).toHaveCount(2);
  await guestPage.getByRole('link', { name: 'Come back later' }).click();
  await expect(guestPage).toHaveURL(/\/upload-complete\?comeback=true/);
  await expectAccessible(guestPage);
  await guestPage.getByRole('link', { name: 'Go to your photos' }).click();
  await expect(findPhotoInput(guestPage)).toBeEnabled();
  await guestPage.getByRole('button', { name: "I'm Done" }).click();
  await expect(guestPage.getByText('Once you’re done, you can’t add any more to this frame.')).toBeVisible();
  await expectAccessible(guestPage);
  await guestPage.getByRole('button', { name: "Yes, I'm Done!" }).click();
  await expect(guestPage).toHaveURL(/\/upload-complete\?finalized=true/);
  await guestPage.goto('/customer-upload');
  await expect(guestPage.getByRole('heading', { name: 'Your photos are in good hands' })).toBeVisible();
  await expect(guestPage.getByRole('button', { name: /^Delete / })).toHaveCount(0);
  await expectAccessible(guestPage);

  await page.getByRole('button', { name: /^End (it|them)$/ }).click();
  await page.getByRole('button', { name: 'End them', exact: true }).last().click();
  await expect(page.getByText('This customer’s upload links don’t work anymore.').first()).toBeVisible();
  await guestPage.reload();
  await expect(guestPage.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
  await expect(guestPage.getByText('This upload link has expired or is invalid.')).toBeVisible();
  await expectAccessible(guestPage);
  await customerContext.clearCookies();
  await guestPage.reload();
  await expect(guestPage.getByRole('heading', { name: 'Invalid Link' })).toBeVisible();
});

test('contributors add photos through a collect link, and the customer accepts or removes them and finalizes the frame @phone-only', async ({
  page,
  browser,
  context,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of 409/); // finalizing is refused while photos wait for a decision
  await createFrameOwner(context, baseURL!);
  await page.goto('/upload');
  await page.getByRole('button', { name: 'Make a link to share' }).click();
  await page.getByLabel('What are the photos for?').fill('Grandma’s eightieth');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make the link', exact: true }).click();
  await expect(page.getByRole('img', { name: 'QR code of the link for adding photos' })).toBeVisible();
  const url = (await page.getByRole('dialog').locator('.font-mono').textContent())!;
  const auntEmail = `aunt-${crypto.randomUUID()}@example.com`;
  await page.getByLabel('Or we can email it to').fill(auntEmail);
  await page.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText(`We’re emailing the link to ${auntEmail}.`).first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');

  const photoPaths = await drawRealPhotos();
  const openCollectLink = async (address: string, firstName: string, files: string[]) => {
    const contributorPage = await (await browser.newContext()).newPage();
    await contributorPage.goto(address);
    await expect(contributorPage.getByRole('heading', { name: 'Grandma’s eightieth' })).toBeVisible();
    await expectAccessible(contributorPage);
    const addPhotosButton = contributorPage.getByRole('button', { name: 'Add photos' });
    await expect(addPhotosButton).toBeEnabled();
    await contributorPage.getByLabel('Your first name').fill(firstName);
    await addPhotosButton.click();
    await expect(findPhotoInput(contributorPage)).toBeEnabled();
    await findPhotoInput(contributorPage).setInputFiles(files);
    await expect(contributorPage.getByText(`Thank you, ${firstName}!`)).toBeVisible({ timeout: 60_000 });
    return contributorPage;
  };
  const linaPage = await openCollectLink(url, 'Lina', photoPaths.slice(0, 2));
  const tomPage = await openCollectLink(
    await waitForEmailedLink(auntEmail, /\S+\/collect\/[\w-]+/),
    'Tom',
    photoPaths.slice(2, 3),
  );
  await expect(tomPage.getByRole('button', { name: /^View / })).toHaveCount(1); // Lina’s photos are not visible to Tom
  await expectAccessible(linaPage);
  await findPhotoInput(linaPage).setInputFiles(photoPaths.slice(0, 1));
  await expect(linaPage.getByText('You already added this photo')).toBeVisible();
  await linaPage.getByRole('button', { name: 'Add again' }).click();
  await expect(linaPage.getByRole('button', { name: /^View / })).toHaveCount(3);
  await linaPage
    .getByRole('button', { name: /^Delete / })
    .last()
    .click();
  await linaPage.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(linaPage.getByRole('button', { name: /^View / })).toHaveCount(2);
  await linaPage
    .getByRole('button', { name: /^View / })
    .first()
    .click();
  await linaPage.getByLabel('Title of the video').fill('Grandma’s boat');
  await expectAccessible(linaPage);
  await linaPage.getByRole('button', { name: 'Save title' }).click();
  await expect(linaPage.getByRole('dialog')).toBeHidden();
  await linaPage.getByRole('button', { name: 'Delete drawing.png' }).click();
  await linaPage.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(linaPage.getByRole('button', { name: /^View / })).toHaveCount(1);

  await page.reload();
  await expect(page.getByText('2 photos from your family are waiting for you to accept.')).toBeVisible();
  await expect(page.getByText('Grandma’s boat')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: "I'm Done" }).click();
  await expect(page.getByText('2 photos from your family are waiting for you.')).toBeVisible();
  await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
  await expect(page.getByText(/Your family added 2 photos for Kinframe 1/).first()).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  await tomPage.reload();
  await expect(tomPage.getByText('Anna is looking through the photos so far.')).toBeVisible();
  await page.getByRole('button', { name: 'Accept turned.jpg from Lina' }).click();
  await expect(page.getByText('1 photo from your family is waiting for you to accept.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove modern.webp from Tom' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(page.getByText(/from your family (is|are) waiting/)).toHaveCount(0);
  await page.getByRole('button', { name: "I'm Done" }).click();
  await page.getByRole('button', { name: "Yes, I'm Done!" }).click();
  await expect(page).toHaveURL(/\/upload-complete\?finalized=true/);
  await linaPage.reload();
  await expect(linaPage.getByText('we’re bringing them to life now')).toBeVisible();
  await expectAccessible(linaPage);
  const notFoundResponse = await linaPage.goto(`${url.slice(0, -4)}none`);
  expect(notFoundResponse!.status()).toBe(404);
  await expect(linaPage.getByRole('heading', { name: 'We couldn’t find this page' })).toBeVisible();
  await expectAccessible(linaPage);
});
