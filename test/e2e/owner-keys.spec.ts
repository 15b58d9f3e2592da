import type { Page } from '@playwright/test';
import { adminTabs, contentParts, contentWords } from '../../web/admin/search.ts';
import { expect, expectAccessible, origin, signInAsOwner, test } from './fixtures.ts';

/** Beside Eve's order one that came with three films. */
test.use({ settings: { E2E_DELIVERED: 'on' } });

const expectTab = (page: Page, name: string) =>
  expect(page.getByRole('tab', { name, exact: true })).toHaveAttribute('aria-selected', 'true');

test('each key does what the list of keys says', async ({ page }) => {
  await signInAsOwner(page);
  const { keyboard } = page;
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const search = page.getByRole('searchbox');
  const order = page.getByRole('region', { name: /^Order KF-/ });
  const rows = page.getByRole('button', { name: /^KF-/ });
  await expect(rows).toHaveCount(2);
  const [first, second] = await rows.allTextContents();

  await test.step('? opens it, and it names no other keys than these', async () => {
    await keyboard.press('?');
    await expect(list.getByRole('term')).toHaveText(['1 – 8', 'Ctrl K', '/', 'J, K', 'N, P', 'Esc', 'A', '← →', '?']);
    await expectAccessible(page);
    await keyboard.press('1');
    await expect(page).not.toHaveURL(/tab=/); // over a dialog keys are its own
    await keyboard.press('Escape');
    await expect(list).toHaveCount(0);
  });

  await test.step('1 – 8: the tabs, from the left', async () => {
    for (const [at, { label }] of adminTabs.entries()) {
      await keyboard.press(String(at + 1));
      await expectTab(page, label);
    }
  });

  await test.step('/ begins to search, where keys are letters, and Esc leaves it', async () => {
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

  await test.step('J and K: the next order and the one before; Esc closes it', async () => {
    for (const [key, number] of [
      ['j', first],
      ['j', second],
      ['j', second],
      ['k', first],
    ] as const) {
      await keyboard.press(key);
      await expect(order).toHaveAccessibleName(`Order ${number}`);
    }
    await keyboard.press('Escape');
    await expect(order).toHaveCount(0);
  });

  await test.step('N and P: the next page of a list and the one before', async () => {
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

  await test.step('← and → turn to other videos while one is reviewed, and A approves it', async () => {
    const headers = { origin: origin() };
    const redo = { data: { style: 'drift' }, headers };
    expect((await page.request.post('/api/admin/videos/rose-kite/redo', redo)).ok()).toBe(true);
    await page.goto('/admin?tab=production');
    await page.getByRole('button', { name: 'Show videos of Kinframe 1' }).click();
    const approveAll = page.getByRole('button', { name: 'Approve all' });
    await expect(approveAll).toBeVisible({ timeout: 150_000 }); // it is made
    await page.getByRole('button', { name: 'Preview kite.jpg' }).click();
    const review = (title: string) => page.getByRole('dialog', { name: title });
    await keyboard.press('ArrowRight');
    await expect(review('cabin.jpg')).toBeVisible();
    await keyboard.press('ArrowLeft');
    await expect(review('kite.jpg')).toBeVisible();
    await keyboard.press('a');
    await expect(approveAll).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0); // no other waits for a look
  });

  await test.step('switched off they are nobody’s, but for the finder', async () => {
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

test('every place that the finder names is where it leads', async ({ page }) => {
  await signInAsOwner(page);
  await expect(page.getByRole('button', { name: /^KF-/ })).toHaveCount(2);
  const finder = page.getByRole('dialog', { name: 'Find anything' });
  const places: [words: string, address: RegExp][] = [
    ...adminTabs.map(({ value, label }): [string, RegExp] => [label, new RegExp(`/admin\\?tab=${value}$`)]),
    ...contentParts.map((it): [string, RegExp] => [`Content: ${contentWords[it]}`, new RegExp(`section=${it}$`)]),
    ['Videos to check', /tab=production&filter=review$/],
    ['Reviews to read', /tab=content&section=reviews&filter=waiting$/],
    ['The shop’s home page', /:\d+\/$/],
  ];
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.keyboard.press('Control+k');
  await expect(finder.getByRole('option')).toHaveText(places.map(([words]) => words));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter'); // the second of them
  await expectTab(page, 'Orders & Uploads');
  for (const [words, address] of places) {
    await page.keyboard.press('Meta+k');
    await finder.getByRole('combobox').fill(words);
    await expect(finder.getByRole('option').first()).toHaveText(words);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(address);
    await expect(finder).toHaveCount(0);
  }
  // The tab that is left asks nothing by the address of the next.
  expect(asked.filter((it) => it.includes('/lists/production-orders?filter=waiting'))).toEqual([]);
});
