import { stat } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { toShopDay } from '#contract/calendar.ts';
import { findFreePort } from '../free-port.ts';
import { generateTotpCode } from '../one-time-code.ts';
import { openProvider, ownersSubject, createSettings } from '../openid-provider.ts';
import { createFrameOwner } from './buying.ts';
import {
  waitForHydration,
  expect,
  expectAccessible,
  waitForEmailedLink,
  readMailsTo,
  createTestPicture,
  shopOrigin,
  signInThroughProvider,
  test,
} from './fixtures.ts';
import { ownersPassword } from './own-shop.ts';

/** A shop with many years of orders. Its settings name the provider's port before either is started. */
const providerPort = await findFreePort();
test.use({ settings: { E2E_ORDERS: '100000', ...createSettings(providerPort) } });

const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const saveSection = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Content saved', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
};

/** Sets up the second factor before the test begins. Returns the secret on the owner's phone. */
async function turnOnSecondFactor(page: Page): Promise<string> {
  const postJson = async (path: string, data: object) => {
    const response = await page.request.post(`/api/admin/${path}`, { data, headers: { origin: shopOrigin() } });
    expect(response.ok(), await response.text()).toBe(true);
    return response.json();
  };
  await postJson('auth/password', { password: ownersPassword });
  const { secret } = await postJson('second-factor', { password: ownersPassword });
  await postJson('second-factor/confirm', { code: generateTotpCode(secret) });
  await postJson('logout', {});
  return secret;
}

test('the owner does a day’s work, from the sign-in with a code to the sign-in at an identity provider @phone', async ({
  page,
  browser,
  context,
  baseURL,
}) => {
  const customerContext = await browser.newContext();
  const email = await createFrameOwner(customerContext, baseURL!);
  await customerContext.clearCookies();
  const subject = `Which wall? ${email}`;
  const ticketFields = { name: 'Anna Keller', email, subject, message: 'North or south?' };
  await page.request.post('/api/support-tickets', { data: ticketFields, headers: { origin: shopOrigin() } });
  const secret = await turnOnSecondFactor(page);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const panel = page.getByRole('region', { name: /^Order KF-/ });

  await test.step('the owner signs in with a password and a code from the phone', async () => {
    await page.goto('/admin-login');
    await page.getByLabel('Password', { exact: true }).fill(ownersPassword);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    const code = generateTotpCode(secret, new Date(Date.now() + 30_000)); // the current code was already used
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(code);
    await page.getByRole('button', { name: 'Sign In', exact: true }).click();
    await expect(page.getByText(/^(100|10),002$/)).toBeVisible(); // including Eve’s and Anna’s orders
    await expectAccessible(page);
  });

  await test.step('the owner finds an order among a hundred thousand, adds photos to it and downloads all its photos', async () => {
    await page.getByRole('searchbox').fill(email);
    await expect(page.getByRole('status').filter({ hasText: '1 order' })).toBeVisible();
    await page.getByRole('button', { name: /KF-/ }).first().click();
    await panel.getByRole('button', { name: 'Manage uploads' }).click();
    const uploadsDialog = page.getByRole('dialog', { name: 'Upload Management' });
    await uploadsDialog.getByLabel('Photos to add').setInputFiles(await createTestPicture('wall.jpg', '#c05030'));
    await uploadsDialog.getByRole('button', { name: 'Upload 1 photo' }).click();
    await expect(uploadsDialog.getByRole('listitem')).toHaveCount(1);
    await uploadsDialog.getByRole('button', { name: 'Close' }).click();
    const [zip] = await Promise.all([
      page.waitForEvent('download'),
      panel.getByRole('link', { name: 'Download', exact: true }).click(),
    ]);
    expect(zip.suggestedFilename()).toMatch(/^KF-.*-photos\.zip$/);
    expect((await stat(await zip.path())).size).toBeGreaterThan(2_000);
  });

  await test.step('the owner refunds ten dollars, and the panel shows the remaining profit', async () => {
    await panel.getByRole('button', { name: 'Refund...' }).click();
    await page.getByLabel('Amount in dollars').fill('10');
    await page.getByLabel('Reason').fill('It came a day late.');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Refund $10.00' }).click();
    await expect(panel.getByText('You can still refund $189.00.')).toBeVisible();
    await panel.getByRole('heading', { name: 'Profit' }).click();
    await expect(panel.getByText('Profit so far')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the owner makes an upload link, and a photo arrives through it', async () => {
    await panel.getByRole('button', { name: 'Generate upload link' }).click();
    await expect(page.getByText('Upload Link Generated', { exact: true })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/customer-upload?token=');
    const guestPage = await customerContext.newPage();
    await guestPage.goto(await waitForEmailedLink(email, /\S+\/customer-upload\?token=[\w-]+/));
    const photoInput = guestPage.getByLabel('Photo files');
    await expect(photoInput).toBeEnabled(); // once the page is hydrated
    await photoInput.setInputFiles(await createTestPicture('lake.jpg', '#30a060'));
    await expect(guestPage.getByText('2 photos', { exact: true })).toBeVisible({ timeout: 60_000 });
    await customerContext.close();
  });

  await test.step('the owner answers a ticket, and the customer gets the answer by email', async () => {
    await openTab(page, 'Support Tickets');
    await page.getByRole('button', { name: subject }).click();
    const dialog = page.getByRole('dialog', { name: subject });
    await dialog.getByLabel('Your answer').fill('North: no sun on the glass.');
    await dialog.getByRole('button', { name: 'Send answer' }).click();
    await expect(dialog.getByRole('listitem').filter({ hasText: 'You answered by email' })).toBeVisible();
    await expect(page.getByText('Answer sent', { exact: true })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0, { timeout: 2000 }); // the dialog closes before its notification
    await expect.poll(async () => (await readMailsTo(email)).some((it) => it.text?.includes('no sun'))).toBe(true);
  });

  await test.step('the owner gives the customer a credit to replace a photo', async () => {
    await page.goto(`/admin?tab=users&q=${email}`);
    const card = page.getByRole('article').filter({ hasText: email });
    await card.getByRole('button', { name: /^Edit/ }).click();
    await page.getByLabel('Reupload credits').fill('1');
    await page.getByRole('button', { name: 'Save Changes' }).click();
    await expect(page.getByText('User Updated', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await expect
      .poll(async () => (await readMailsTo(email)).some((it) => it.subject?.includes('can replace')))
      .toBe(true);
  });

  await test.step('the owner edits the gallery, and visitors see the change', async () => {
    await openTab(page, 'Gallery');
    await page.getByRole('button', { name: 'Edit Kite at the lake' }).click();
    await page.getByLabel('Title').fill('Kite over the lake');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Edit Kite over the lake' })).toBeVisible();
    // Moves it from the first place to the second with the keyboard.
    const dragHandle = page.getByRole('button', { name: 'Move Kite over the lake' });
    await dragHandle.focus();
    await page.keyboard.press('Space');
    await expect(page.getByText(/^Kite over the lake is now at place 1 of/)).toBeAttached();
    // The library listens to arrow keys a moment after Space. No one presses keys as fast as this test.
    await expect(async () => {
      await page.keyboard.press(page.viewportSize()!.width < 640 ? 'ArrowDown' : 'ArrowRight');
      await expect(page.getByText(/^Kite over the lake is now at place 2 of/)).toBeAttached({ timeout: 1000 });
    }).toPass();
    await page.keyboard.press('Space');
    await expect(page.getByText('Order saved', { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.goto('/gallery');
    await expect(page.getByRole('button', { name: /^See it move/ }).nth(1)).toHaveAccessibleName(
      'See it move: Kite over the lake',
    );
  });

  const heroBackgroundField = page.getByRole('textbox', { name: 'Background video or picture' });
  await test.step('a new picture is on the home page immediately', async () => {
    await page.goto('/admin?tab=content');
    await heroBackgroundField.waitFor();
    await page
      .getByLabel('File for Background video or picture')
      .setInputFiles(await createTestPicture('sky.jpg', '#3060c0'));
    await expect(heroBackgroundField).toHaveValue(/^\/content\/[0-9a-f-]{36}\.jpg$/);
    const url = await heroBackgroundField.inputValue();
    await expectAccessible(page);
    await saveSection(page);
    await page.goto('/');
    const shownElement = page.locator(`main img[src="${url}"]`);
    await expect.poll(() => shownElement.evaluate((it) => (it as HTMLImageElement).naturalWidth)).toBe(1600);
    await expect(page.getByLabel('A family photo moves inside the frame')).toHaveCount(0);
    await expectAccessible(page);
  });

  await test.step('a new promotion is on the home page immediately', async () => {
    await page.goto('/admin?tab=content&section=promos');
    await page.getByRole('button', { name: 'Remove promotion 2' }).click(); // today’s promotion is removed
    await page.getByRole('button', { name: 'Add promotion' }).click();
    const promotionGroup = page.getByRole('group', { name: 'promotion 3' });
    await promotionGroup.getByLabel('Announcement').fill('A frame for every wall');
    await promotionGroup.getByLabel('First day').fill(toShopDay(Date.now()));
    await promotionGroup.getByLabel('Last day').fill('2099-06-30');
    await saveSection(page);
    await page.goto('/');
    await expect(page.getByText('A frame for every wall')).toBeVisible();
  });

  await test.step('the owner restores the earlier version of the home page', async () => {
    await page.goto('/admin?tab=content');
    await heroBackgroundField.waitFor();
    await page.getByRole('button', { name: 'History' }).click();
    const versionList = page.getByRole('dialog', { name: 'History' }).getByRole('list', { name: 'Versions' });
    await versionList.getByRole('button', { name: /^Show/ }).last().click();
    // The history shows a picture, not its address.
    await expect(versionList.getByRole('img', { name: 'Background video or picture' })).toBeVisible();
    await expectAccessible(page);
    await versionList
      .getByRole('button', { name: /^Restore/ })
      .last()
      .click();
    await expect(page.getByText('Version restored', { exact: true }).first()).toBeVisible();
    await page.goto('/');
    await expect(page.getByLabel('A family photo moves inside the frame')).toHaveCount(1);
  });

  await test.step('the Analytics tab shows the owner the figures of the year', async () => {
    await page.goto('/admin?tab=analytics&range=12m');
    await expect(page.getByRole('img', { name: /^Revenue by month: \$/ })).toBeVisible();
    const profitRegion = page.getByRole('region', { name: 'Profit by month of order' });
    await expect(profitRegion.getByRole('row')).toHaveCount(14); // twelve months, a heading and the total
    await expectAccessible(page);
  });

  await test.step('the owner signs out, and the panel shows the sign-in page', async () => {
    await waitForHydration(page);
    await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Admin sign-in' })).toBeVisible();
    await page.goto('/admin?tab=orders');
    await expect(page.getByRole('heading', { name: 'Admin sign-in' })).toBeVisible();
  });

  await test.step('the owner signs in with an account at an identity provider', async () => {
    const provider = await openProvider(`${shopOrigin()}/api/admin/auth/replit/callback`, { port: providerPort });
    await signInThroughProvider(page, ownersSubject);
    await expect(page.getByText(/^(100|10),002$/)).toBeVisible();
    await provider.close();
  });
});
