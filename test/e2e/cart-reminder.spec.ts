import { expect, expectAccessible, waitForEmailedLink, readMailsTo, signInAsOwner, test } from './fixtures.ts';
import { customerCara } from './left-cart.ts';

test('the button of a cart reminder opens the filled checkout in any browser @phone-only', async ({
  page,
  browser,
  baseURL,
  expectProblem,
}) => {
  expectProblem(/status of 400/); // the response to a link that has ended
  const cartLink = await waitForEmailedLink(customerCara.email, /http\S+\/cart\/\S+/);
  const [message] = await readMailsTo(customerCara.email);
  expect(message!.subject).toBe('We saved your cart');
  const findHeader = (key: string) => message!.headers.find((it) => it.key === key)?.value;
  expect(findHeader('list-unsubscribe')).toMatch(/^<http\S+\/unsubscribe\?token=\S+&of=cart>$/);
  expect(findHeader('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');

  await test.step('a mail scanner that loads the page neither opens the cart nor ends the reminders', async () => {
    for (let again = 0; again < 2; again++) {
      const linkResponse = await fetch(cartLink);
      expect(linkResponse.headers.get('cache-control')).toContain('no-store');
      expect(await linkResponse.text()).not.toContain(customerCara.email);
    }
  });

  await test.step('the button in the email fills in the checkout', async () => {
    await page.goto(cartLink);
    await expect(page).toHaveURL(/\/checkout\?product=kinframe&quantity=1&extras=2&step=payment/);
    await expect(page.getByText('Cara Lund').first()).toBeVisible();
    await expect(page.getByText('4 Harbor Road').first()).toBeVisible();
    await expect(page.getByText('$218.98').first()).toBeVisible();
    await page.getByRole('link', { name: 'Back to Details' }).click();
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue(customerCara.email);
    await expect(page.getByText('we may remind you of your cart here')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('the owner sees that the buyer came back, and turns the reminders off and on', async () => {
    await signInAsOwner(page);
    await page.getByRole('tab', { name: 'Analytics', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Cart reminders' });
    await expect(panel).toContainText('Came back1');
    await panel.getByRole('button', { name: 'Turn off' }).click();
    await expect(panel).toContainText('Reminders are off');
    await panel.getByRole('button', { name: 'Turn on' }).click();
    await expect(panel).toContainText('Reminders are on');
  });

  await test.step('the unsubscribe page names cart reminders', async () => {
    const otherPage = await browser.newPage({ baseURL: baseURL! });
    await otherPage.goto(await waitForEmailedLink(customerCara.email, /http\S+\/unsubscribe\?\S+/));
    await otherPage.getByRole('button', { name: 'Stop reminders' }).click();
    await expect(otherPage.getByText('We will not remind you of a cart again.')).toBeVisible();
    await otherPage.goto(`${baseURL}/cart/unknown`);
    await expect(otherPage.getByRole('heading', { name: 'This cart is no longer here' })).toBeVisible();
    await otherPage.close();
  });
});
