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
  const createNextPageUrl = () => `${baseURL}/delivery/no-link-${(visitCount += 1)}`;
  await expect.poll(async () => (await page.request.get(createNextPageUrl())).status(), { intervals: [0] }).toBe(429);

  const pageWithoutScripts = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  for (const eachPage of [pageWithoutScripts, page]) {
    expect((await eachPage.goto(createNextPageUrl()))!.status()).toBe(429);
    if (eachPage === page) await waitForHydration(eachPage);
    await expect(eachPage.getByText('Too many tries in a short time.')).toBeVisible();
    await expect(eachPage.getByText(/^If you contact us, please mention this number: [0-9a-f-]{36}\.$/)).toBeVisible();
  }
});
