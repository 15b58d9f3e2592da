import type { Page } from '@playwright/test';
import { adminTabs, contentParts, contentLabels } from '../../web/admin/search.ts';
import { expect, expectAccessible, shopOrigin, signInAsOwner, test } from './fixtures.ts';

/** Besides Eve's order, the shop has an order that was delivered with three videos. */
test.use({ settings: { E2E_DELIVERED: 'on' } });

const expectTab = (page: Page, name: string) =>
  expect(page.getByRole('tab', { name, exact: true })).toHaveAttribute('aria-selected', 'true');

test('each key does what the list of shortcuts says', async ({ page }) => {
  await signInAsOwner(page);
  const { keyboard } = page;
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const search = page.getByRole('searchbox');
  const orderRegion = page.getByRole('region', { name: /^Order KF-/ });
  const rows = page.getByRole('button', { name: /^KF-/ });
  await expect(rows).toHaveCount(2);
  const [first, second] = await rows.allTextContents();

  await test.step('? opens the list, which names exactly these keys', async () => {
    await keyboard.press('?');
    await expect(list.getByRole('term')).toHaveText([
      '1 – 9',
      'Ctrl K',
      '/',
      'J, K',
      'N, P',
      'Esc',
      'R',
      'Ctrl Enter',
      'A',
      '← →',
      '?',
    ]);
    await expectAccessible(page);
    await keyboard.press('1');
    await expect(page).not.toHaveURL(/tab=/); // shortcuts do nothing while a dialog is open
    await keyboard.press('Escape');
    await expect(list).toHaveCount(0);
  });

  await test.step('the keys 1 to 9 open the tabs, from left to right', async () => {
    for (const [at, { label }] of adminTabs.entries()) {
      await keyboard.press(String(at + 1));
      await expectTab(page, label);
    }
  });

  await test.step('/ focuses the search, in which keys are letters, and Esc leaves the search', async () => {
    await keyboard.press('2');
    await expectTab(page, 'Orders & Uploads');
    await keyboard.press('/');
    await expect(search).toBeFocused();
    await keyboard.type('1jn?');
    await expect(search).toHaveValue('1jn?');
    await keyboard.press('Escape');
    await expect(search).not.toBeFocused();
    await search.fill('');
    await search.blur();
    await expect(rows).toHaveCount(2);
  });

  await test.step('J and K open the next and the previous order, and Esc closes the order', async () => {
    for (const [key, number] of [
      ['j', first],
      ['j', second],
      ['j', second],
      ['k', first],
    ] as const) {
      await keyboard.press(key);
      await expect(orderRegion).toHaveAccessibleName(`Order ${number}`);
    }
    await keyboard.press('Escape');
    await expect(orderRegion).toHaveCount(0);
  });

  await test.step('R asks for a refund of the open order, and Ctrl Enter saves the notes of the order', async () => {
    await keyboard.press('r');
    await expect(page.getByRole('dialog')).toHaveCount(0); // no order is open
    await keyboard.press('j');
    await expect(orderRegion).toHaveAccessibleName(`Order ${first}`);
    await keyboard.press('r');
    await expect(page.getByRole('dialog', { name: /^Refund/ })).toBeVisible();
    await keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    const notesField = orderRegion.getByLabel('Admin notes');
    await notesField.fill('Ring the bell twice');
    await notesField.press('Control+Enter');
    await expect(page.getByText('Order Updated', { exact: true }).first()).toBeVisible();
    await expect(notesField).toHaveValue('Ring the bell twice');
    await notesField.blur();
    await keyboard.press('Escape');
    await expect(orderRegion).toHaveCount(0);
  });

  await test.step('N and P show the next and the previous page of a list', async () => {
    await page.route('**/api/admin/lists/orders*', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '1');
      return route.continue({ url: url.href });
    });
    await page.reload();
    await expect(rows).toHaveText([first!]);
    await keyboard.press('n');
    await expect(rows).toHaveText([second!]);
    await keyboard.press('p');
    await expect(rows).toHaveText([first!]);
    await page.unroute('**/api/admin/lists/orders*');
  });

  await test.step('← and → go to other videos during a review, and A approves the shown video', async () => {
    const headers = { origin: shopOrigin() };
    const redoRequest = { data: { style: 'drift' }, headers };
    expect((await page.request.post('/api/admin/videos/rose-kite/redo', redoRequest)).ok()).toBe(true);
    await page.goto('/admin?tab=production');
    await page.getByRole('button', { name: 'Show videos of Kinframe 1' }).click();
    const approveAll = page.getByRole('button', { name: 'Approve all' });
    await expect(approveAll).toBeVisible({ timeout: 150_000 }); // the new take is rendered
    await page.getByRole('button', { name: 'Preview kite.jpg' }).click();
    const findReviewDialog = (title: string) => page.getByRole('dialog', { name: title });
    await keyboard.press('ArrowRight');
    await expect(findReviewDialog('cabin.jpg')).toBeVisible();
    await keyboard.press('ArrowLeft');
    await expect(findReviewDialog('kite.jpg')).toBeVisible();
    await keyboard.press('a');
    await expect(approveAll).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0); // no other video waits for review
  });

  await test.step('when shortcuts are switched off, only the key of the command palette still works', async () => {
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await list.getByLabel('Use keyboard shortcuts').uncheck();
    await keyboard.press('Escape');
    await expect(list).toHaveCount(0);
    await keyboard.press('1');
    await keyboard.press('?');
    await keyboard.press('Control+k');
    await expect(page.getByRole('dialog', { name: 'Find anything' })).toBeVisible();
    await keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expectTab(page, 'Production');
    await page.getByRole('button', { name: 'Shortcuts' }).click();
    await list.getByLabel('Use keyboard shortcuts').check();
    await keyboard.press('Escape');
    await keyboard.press('1');
    await expectTab(page, 'Customers');
  });
});

test('every entry of the command palette leads to its page', async ({ page }) => {
  await signInAsOwner(page);
  await expect(page.getByRole('button', { name: /^KF-/ })).toHaveCount(2);
  const finderDialog = page.getByRole('dialog', { name: 'Find anything' });
  const searchResults: [words: string, address: RegExp][] = [
    ...adminTabs.map(({ value, label }): [string, RegExp] => [label, new RegExp(`/admin\\?tab=${value}$`)]),
    ...contentParts.map((it): [string, RegExp] => [`Content: ${contentLabels[it]}`, new RegExp(`section=${it}$`)]),
    ['Videos to check', /tab=production&filter=review$/],
    ['Reviews to read', /tab=content&section=reviews&filter=waiting$/],
    ['Settings: Staff and audit trail', /tab=settings$/],
    ['The shop’s home page', /:\d+\/$/],
  ];
  const requestedUrls: string[] = [];
  page.on('request', (request) => requestedUrls.push(request.url()));
  await page.keyboard.press('Control+k');
  await expect(finderDialog.getByRole('option')).toHaveText(searchResults.map(([words]) => words));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter'); // opens the second option
  await expectTab(page, 'Orders & Uploads');
  for (const [words, address] of searchResults) {
    await page.keyboard.press('Meta+k');
    await finderDialog.getByRole('combobox').fill(words);
    await expect(finderDialog.getByRole('option').first()).toHaveText(words);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(address);
    await expect(finderDialog).toHaveCount(0);
  }
  // A tab that is left sends no requests with the address of the next tab.
  expect(requestedUrls.filter((it) => it.includes('/lists/production-orders?filter=waiting'))).toEqual([]);
});
