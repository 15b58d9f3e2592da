import { waitForHydration, expect, test } from './fixtures.ts';

test.use({ settings: { RATE_LIMITS: 'on' } });

test('a refused page shows the reason and the request id, before and after hydration', async ({
  page,
  baseURL,
  browser,
  expectProblem,
}) => {
  expectProblem(/429/);
  let visitCount = 0;
  const nextPage = () => `${baseURL}/delivery/no-link-${(visitCount += 1)}`;
  await expect.poll(async () => (await page.request.get(nextPage())).status(), { intervals: [0] }).toBe(429);

  const pageWithoutScripts = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  for (const it of [pageWithoutScripts, page]) {
    expect((await it.goto(nextPage()))!.status()).toBe(429);
    if (it === page) await waitForHydration(it);
    await expect(it.getByText('Too many tries in a short time.')).toBeVisible();
    await expect(it.getByText(/^If you contact us, please mention this number: [0-9a-f-]{36}\.$/)).toBeVisible();
  }
});
