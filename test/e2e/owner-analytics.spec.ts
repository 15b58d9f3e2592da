import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { toShopDay } from '#contract/calendar.ts';
import { christmasEveOrderNumber } from './christmas-eve.ts';
import { expect, expectAccessible, signInAsOwner, test } from './fixtures.ts';

/** A normal browser's user agent, because the headless browser identifies itself as automated. */
const userAgent = 'Mozilla/5.0 (Macintosh) Safari/605';
async function recordPageViews(page: Page, pagePath: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const viewResponse = await page.request.post('/api/page-views', {
      data: { pagePath, referrer: 'https://news.example/gifts', userAgent },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(viewResponse.ok()).toBe(true);
  }
}
const openAnalytics = (page: Page) => page.getByRole('tab', { name: 'Analytics', exact: true }).click();
const findRange = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Range' }).getByRole('button', { name });

test('the owner sees page views and orders over a range that stays in the address @phone', async ({ page }, {
  project,
}) => {
  const [seenPage, often] = [`/seen-on-${project.name}`, 7];
  await recordPageViews(page, seenPage, often);
  await recordPageViews(page, '/product/kinframe', 2);
  const scripts: string[] = [];
  page.on('request', (it) => it.resourceType() === 'script' && scripts.push(it.url()));
  await signInAsOwner(page);
  await expect(page.getByRole('heading', { name: /admin$/ })).toBeVisible();
  const hasCharts = () => scripts.some((it) => it.includes('analytics-tab'));
  expect(hasCharts()).toBe(false);
  await openAnalytics(page);

  await expect(findRange(page, '30 days')).toHaveAttribute('aria-pressed', 'true');
  expect(hasCharts()).toBe(true);
  await expect(page.getByRole('img', { name: /^Page views by day: \d+ in all, most on/ })).toBeVisible();
  const pageViewsRegion = page.getByRole('region', { name: 'Views by page' });
  await expect(pageViewsRegion.getByRole('listitem').filter({ hasText: seenPage })).toContainText(String(often));
  const activityRegion = page.getByRole('region', { name: 'Recent activity' });
  await expect(activityRegion.getByRole('listitem').first()).toContainText('/product/kinframe from news.example/gifts');
  await expect(page.getByText('Total page views')).toBeVisible();
  await expect(page.getByText('Unique pages')).toBeVisible();
  await expectAccessible(page);

  await findRange(page, '7 days').click();
  await expect(page).toHaveURL(/range=7d/);
  await page.reload();
  await expect(findRange(page, '7 days')).toHaveAttribute('aria-pressed', 'true');
  await page.getByText('All figures by day, as a table').click();
  const table = page.getByRole('region', { name: 'Figures by day' }).getByRole('table');
  await expect(table.getByRole('row')).toHaveCount(9); // seven days, a heading and the total
  await expect(table.getByRole('row').last()).toContainText('Total');
  await expectAccessible(page);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^days-\d{4}-\d\d-\d\d\.csv$/);

  await findRange(page, 'Today').click();
  await expect(page.getByText(/ vs\. |same as before/).first()).toBeVisible();
  await findRange(page, 'Custom').click();
  const customRangeForm = page.getByRole('form', { name: 'Custom range' });
  await customRangeForm.getByLabel('First day').fill('2026-02-10');
  await customRangeForm.getByLabel('Last day').fill('2026-02-01');
  await customRangeForm.getByRole('button', { name: 'Show' }).click();
  await expect(customRangeForm.getByText('The first day must not be after the last day.')).toBeVisible();
  await expectAccessible(page);
  const today = toShopDay(new Date());
  await customRangeForm.getByLabel('First day').fill('2026-02-01');
  await customRangeForm.getByLabel('Last day').fill(today);
  await customRangeForm.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(/range=custom&from=2026-02-01&to=/);
  await expect(page.getByText(/^February 1, 2026 to .+, compared with /)).toBeVisible();
  await expect(findRange(page, 'Custom')).toHaveAttribute('aria-pressed', 'true');

  await findRange(page, '12 months').click();
  await expect(page.getByRole('img', { name: /^Revenue by month: \$/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Figures by month' }).getByRole('row')).toHaveCount(14);
  const profitRegion = page.getByRole('region', { name: 'Profit by month of order' });
  await expect(profitRegion.getByRole('img', { name: /^Profit by month: \$/ })).toBeVisible();
  await expect(profitRegion.getByRole('row').last()).toContainText(/Total\$[\d,.]+\$[\d,.]+/);
  await expectAccessible(page);
});

test('without page views the tab explains how views are counted, and failed requests can be retried @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/500 .*\/api\/analytics\//);
  await signInAsOwner(page);
  await page.route('**/api/analytics/**', (route) =>
    route.fulfill({
      status: 500,
      json: { success: false, message: 'The shop is tired.', error: 'The shop is tired.' },
    }),
  );
  await openAnalytics(page);
  const errorAlert = page.getByRole('alert').filter({ hasText: 'Failed to fetch analytics' });
  await expect(errorAlert).toContainText('The shop is tired.');
  await expectAccessible(page);
  await page.unroute('**/api/analytics/**');
  await page.route('**/api/analytics/**', async (route) => {
    const isPageViewsCall = route.request().url().includes('page-views');
    const range = new URL(route.request().url()).searchParams.get('range');
    const emptyFigures = { views: 0, orders: 0, revenue: 0, refunds: 0, codeUses: 0 };
    const trials = { tried: 0, bought: 0 };
    const funnel = { views: 0, productViews: 0, checkoutViews: 0, paid: 0, finalized: 0, delivered: 0 };
    await route.fulfill({
      json: isPageViewsCall
        ? { totalViews: 0, uniquePages: 0, viewsByPage: [], recentViews: [] }
        : {
            range,
            from: '2026-11-22',
            to: '2026-11-22',
            days: [{ day: '2026-11-22', ...emptyFigures }],
            funnel,
            trials,
            codes: [],
          },
    });
  });
  await errorAlert.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Nothing during this time')).toBeVisible();
  await expect(page.getByText(/We count every page that someone opens, without cookies or IP addresses/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show 12 months' }).click();
  await expect(page).toHaveURL(/range=12m/);
  await expect(page.getByText('No visitors yet')).toBeVisible();
});

test('the sales tax by month and state can be downloaded on the tab', async ({ page }) => {
  await signInAsOwner(page);
  await openAnalytics(page);
  const panel = page.getByRole('region', { name: 'Sales tax by month and state' });
  for (const [name, ending] of [
    ['Sales tax as CSV', 'csv'],
    ['Sales tax for Excel', 'xlsx'],
  ] as const) {
    const [download] = await Promise.all([page.waitForEvent('download'), panel.getByRole('link', { name }).click()]);
    expect(download.suggestedFilename()).toMatch(new RegExp(`^sales-tax-\\d{4}-\\d\\d-\\d\\d\\.${ending}$`));
  }
});

test('exports the searched list as a spreadsheet', async ({ page }) => {
  await signInAsOwner(page);
  const downloadCsv = async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ]);
    return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
  };
  await page.getByRole('searchbox').fill(christmasEveOrderNumber);
  await expect(page.getByRole('status').filter({ hasText: '1 order' })).toBeVisible();
  await expectAccessible(page);
  const ordersCsv = await downloadCsv();
  expect(ordersCsv.name).toMatch(/^orders-\d{4}-\d\d-\d\d\.csv$/);
  expect(ordersCsv.text.trimEnd().split('\r\n')).toEqual([
    expect.stringContaining('Order,Ordered (New York time),Status'),
    expect.stringContaining(`${christmasEveOrderNumber},2025-12-24 20:00,pending,Eve,Frost`),
  ]);
  const [workbook] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export Excel' }).click(),
  ]);
  expect(workbook.suggestedFilename()).toMatch(/^orders-\d{4}-\d\d-\d\d\.xlsx$/);
  await page.getByRole('tab', { name: 'Customers', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: /customers?$/ })).toBeVisible();
  expect((await downloadCsv()).text).toContain('Eve,Frost,eve@example.com,yes,1,199.00');
});
