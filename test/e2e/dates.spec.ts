import { customerEve, christmasEveOrderNumber } from './christmas-eve.ts';
import { waitForHydration, expect, signInAsOwner, test } from './fixtures.ts';

/** A time zone 14 hours ahead of UTC, where it is already Christmas when Eve orders. */
test.use({ timezoneId: 'Pacific/Kiritimati' });

test('an order of 8 pm in New York on December 24 shows that date in HTML, after hydration and in the panel', async ({
  page,
}) => {
  await page.goto('/auth');
  await page.getByLabel('Email').first().fill(customerEve.email);
  await page.getByRole('textbox', { name: 'Password', exact: true }).first().fill(customerEve.password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/auth');

  for (const path of ['/orders', `/orders/${christmasEveOrderNumber}`]) {
    const renderedPageResponse = await page.context().request.get(path);
    expect(await renderedPageResponse.text()).toContain('December 24, 2025');
    await page.goto(path);
    await expect(page.getByText('December 24, 2025').first()).toBeVisible();
    await waitForHydration(page); // hydration must not change the date
    await expect(page.locator('main')).toContainText('December 24, 2025');
    await expect(page.locator('main')).not.toContainText('December 25');
  }

  await signInAsOwner(page);
  await expect(page.getByRole('cell', { name: 'Dec 24, 2025', exact: true })).toBeVisible();
  await page.getByText(christmasEveOrderNumber).first().click();
  await expect(page.getByText('Dec 24, 2025, 8:00 PM EST').first()).toBeVisible();
});
