import type { Page } from '@playwright/test';
import { finishTwoPhotos, createFrameOwner } from './buying.ts';
import {
  expect,
  expectAccessible,
  waitForEmailedLink,
  readMailsTo,
  shopOrigin,
  drawRealPhotos,
  signInAsOwner,
  test,
} from './fixtures.ts';
import { phoneScreen } from './screens.ts';

/** Creates a customer with a script as the name, an account and no order. */
async function registerHostilePerson(page: Page): Promise<string> {
  const email = `hostile-${crypto.randomUUID().slice(0, 8)}@example.com`;
  const response = await page.context().request.post('/api/auth/register', {
    headers: { origin: shopOrigin() },
    data: {
      firstName: '<img src=x onerror="window.wasRun = true">',
      lastName: '"><b>Ode',
      email,
      password: 'Kite-over-sea-4',
    },
  });
  expect(response.status()).toBe(200);
  return email;
}
const searchFor = (page: Page, words: string) => page.getByRole('searchbox').fill(words);

test('the owner finds a customer, reads their details and generates an upload link @phone', async ({
  page,
  browser,
  baseURL,
}) => {
  const customerContext = await browser.newContext();
  const email = await createFrameOwner(customerContext, baseURL!);
  const hostileEmail = await registerHostilePerson(page);
  await signInAsOwner(page);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('tab', { name: 'Customers' }).click();
  await expect(page).toHaveURL(/tab=customers/);

  await test.step('search, filter and sort are part of the address', async () => {
    await searchFor(page, email);
    await expect(page.getByText('1 customer', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/q=photos-/);
    await expectAccessible(page);
    await page.getByLabel('Show').selectOption('no-order');
    await expect(page.getByText('No customer matches')).toBeVisible();
    await page.getByRole('button', { name: 'Show all customers' }).click();
    await expect(page.getByText(hostileEmail)).toBeVisible();
    await page.goto(`/admin?tab=customers&q=${email}`);
    await expect(page.getByRole('searchbox')).toHaveValue(email);
  });

  const dialog = page.getByRole('dialog', { name: 'Customer Details' });
  await test.step('the details are complete, and each order links to its page', async () => {
    await page.getByRole('button', { name: 'Anna Keller' }).click();
    await expect(dialog.getByText('Total photo upload limit: 20')).toBeVisible();
    await expect(dialog.getByText('$199.00').first()).toBeVisible();
    await expect(dialog.getByRole('link', { name: email })).toBeVisible();
    for (const text of ['Orders', 'Devices', 'Photo bundles', 'Total spent', 'Member since', 'Last order'])
      await expect(dialog.getByText(text, { exact: true })).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('an upload link is copied to the clipboard, and its expiry is shown', async () => {
    await dialog.getByRole('button', { name: 'Generate upload link' }).click();
    await expect(page.getByText('Upload Link Generated', { exact: true })).toBeVisible();
    await expect(page.getByText(/expires in 7 days\. We also emailed a link to the customer/).first()).toBeVisible();
    const copiedLink = await page.evaluate(() => navigator.clipboard.readText());
    expect(copiedLink).toMatch(/\/customer-upload\?token=/);
    await waitForEmailedLink(email, /http\S+\/customer-upload\S+/);
    await dialog.getByRole('checkbox', { name: 'Email the customer a link, too' }).uncheck();
    await expect(dialog.getByText('Only you get the link. Copy it and send it yourself.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Generate upload link' }).click();
    await expect(page.getByText(/expires in 7 days\. We didn’t email the customer/).first()).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the order opens in the panel’s orders tab', async () => {
    const orderLink = dialog.getByRole('link', { name: /^KF-/ });
    const orderNumber = await orderLink.innerText();
    await orderLink.click();
    await expect(page.getByRole('region', { name: `Order ${orderNumber}` })).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('region').getByRole('link', { name: 'Anna Keller' }).click();
    await expect(dialog.getByText(orderNumber)).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
  });

  await test.step('a name that contains a script is shown as text and not run', async () => {
    for (const tab of ['customers', 'users']) {
      await page.goto(`/admin?tab=${tab}&q=${hostileEmail}`);
      await expect(page.getByText('<img src=x onerror="window.wasRun = true"> "><b>Ode')).toBeVisible();
    }
    await page.goto(`/admin?tab=customers&q=${hostileEmail}`);
    await page.getByRole('button', { name: /^<img/ }).click();
    await expect(dialog.getByText('No orders yet.')).toBeVisible();
    await expect(dialog.getByText('<img src=x onerror="window.wasRun = true"> "><b>Ode')).toBeVisible();
    expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
  });
});

test('the owner adds a reupload credit, and the customer uses the credit to replace a photo', async ({
  page: owner,
  browser,
  baseURL,
  expectProblem,
}) => {
  test.setTimeout(400_000); // three videos are made
  const context = await browser.newContext(phoneScreen);
  const email = await createFrameOwner(context, baseURL!);
  const customerPage = await context.newPage();
  await customerPage.goto('/upload');
  await finishTwoPhotos(customerPage);
  await signInAsOwner(owner);
  const approveAll = async (count: number) => {
    const readStates = async () => {
      const orders = await (await owner.request.get(`/api/admin/production-orders?q=${email}`)).json();
      return orders[0].frames[0].videos as { id: string; state: string }[];
    };
    await expect
      .poll(async () => (await readStates()).filter((it) => it.state === 'rendered').length, { timeout: 150_000 })
      .toBe(count);
    for (const { id, state } of await readStates())
      if (state === 'rendered')
        expect(
          (await owner.request.post(`/api/admin/videos/${id}/approve`, { headers: { origin: shopOrigin() } })).ok(),
        ).toBe(true);
  };
  await approveAll(2);

  await owner.goto(`/admin?tab=users&q=${email}`);
  const card = owner.getByRole('article').filter({ hasText: email });
  const dialog = owner.getByRole('dialog', { name: 'Edit User' });
  const findFigure = (label: string) => card.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd');
  await test.step('the customer’s card shows the purchased photos and packages, and the customer id', async () => {
    await expect(card.getByText('Purchased', { exact: true })).toBeVisible();
    await expect(findFigure('Base photos')).toHaveText('20');
    await expect(findFigure('Extra packages')).toHaveText('0');
    await expect(findFigure('Customer ID')).toHaveText(/^[0-9a-f]{8}$/);
    await expectAccessible(owner);
  });

  await test.step('invalid values are refused with a message and can be corrected', async () => {
    expectProblem(/status of 409/);
    await card.getByRole('button', { name: /^Edit/ }).click();
    await dialog.getByLabel('Base photos').fill('none');
    await dialog.getByRole('button', { name: 'Save Changes' }).click();
    await expect(owner.getByText('Update Failed', { exact: true })).toBeVisible();
    await expect(dialog.getByText(/The base photos can’t go below 20 right now/)).toBeVisible();
    await expectAccessible(owner);
  });

  await test.step('only changed fields are sent, and Escape does not discard changes', async () => {
    await dialog.getByLabel('Base photos').fill('20');
    await dialog.getByLabel('Reupload credits').fill('1');
    const leaveDialog = owner.getByRole('dialog', { name: 'Leave without saving?' });
    const closeButton = dialog.getByRole('button', { name: 'Close' });
    for (const close of [() => owner.keyboard.press('Escape'), () => closeButton.click()]) {
      await close();
      await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
      await expect(leaveDialog).toHaveCount(0);
    }
    await expect(dialog.getByLabel('Reupload credits')).toHaveValue('1');
    await expect(dialog.getByRole('checkbox', { name: 'Email the customer' })).toBeChecked();
    await expect(dialog.getByText(/^We’ll email .+ about 1 new credit\.$/)).toBeVisible();
    const [sent] = await Promise.all([
      owner.waitForRequest((it) => it.method() === 'PUT'),
      dialog.getByRole('button', { name: 'Save Changes' }).click(),
    ]);
    expect(sent.postDataJSON()).toEqual({ reuploadCredits: 1 });
    await expect(owner.getByText('User Updated', { exact: true })).toBeVisible();
    await expect(dialog).toHaveCount(0);
    await expect(findFigure('Reupload credits')).toHaveText('1');
  });

  await test.step('the customer replaces a photo with the credit', async () => {
    await customerPage.goto('/upload');
    await expect(customerPage.getByText('You have 1 reupload credit', { exact: true })).toBeVisible();
    await expectAccessible(customerPage);
    await customerPage.getByRole('button', { name: 'View drawing.png' }).click();
    await expect(customerPage.getByRole('button', { name: 'Replace photo (1 credit left)' })).toBeVisible();
    const [, , better] = (await drawRealPhotos()) as [string, string, string];
    await customerPage.getByLabel('Replacement for drawing.png').setInputFiles(better);
    const replaceDialog = customerPage.getByRole('dialog', { name: 'Replace this photo?' });
    await expect(replaceDialog).toContainText('modern.webp takes the place of drawing.png');
    await customerPage.keyboard.press('ArrowRight'); // the arrow key does not change the photo behind the dialog
    await expect(replaceDialog).toContainText('modern.webp takes the place of drawing.png');
    await expectAccessible(customerPage);
    await replaceDialog.getByRole('button', { name: 'Replace it' }).click();
    await expect(customerPage.getByText('Photo replaced', { exact: true })).toBeVisible({ timeout: 60_000 });
    await expect(customerPage.getByRole('button', { name: 'View modern.webp' })).toBeVisible();
    await expect(customerPage.getByRole('button', { name: 'View drawing.png' })).toHaveCount(0);
    await expect(customerPage.getByText(/reupload credit/)).toHaveCount(0);
  });

  await test.step('the customer gets an email about the new video, and the owner sees that the credit is used', async () => {
    await approveAll(1);
    const readSubjects = async () => (await readMailsTo(email)).map((it) => it.subject);
    await expect.poll(readSubjects, { timeout: 60_000 }).toContain('Your new video for Kinframe 1 is ready');
    await owner.reload();
    await expect(findFigure('Reupload credits')).toHaveText('0');
    await expect(findFigure('Photos used')).toHaveText('2 of 20');
  });
});
