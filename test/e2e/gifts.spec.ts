import { dayAfter, toShopDay, shortWeekdayText, weekdayText } from '#contract/calendar.ts';
import { cards, payWithCard, fillBuyerDetails } from './buying.ts';
import { waitForHydration, expect, expectAccessible, waitForEmailedLink, signInAsOwner, test } from './fixtures.ts';

test('the buyer’s and the recipient’s addresses stay separate when the gift box is switched', async ({ page }) => {
  const giftCheckbox = page.getByRole('checkbox', { name: 'This is a gift' });
  const addressField = page.getByLabel('Address', { exact: true });
  const zipField = page.getByLabel('ZIP code');
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await waitForHydration(page);
  await fillBuyerDetails(page, 'own-address@example.com');
  await page.goBack();
  await expect(addressField).toHaveValue('12 Linden Street'); // the address is still as typed before
  await giftCheckbox.check();
  await expect(addressField).toHaveValue('');
  await expect(zipField).toHaveValue('');
  await page.getByRole('button', { name: 'Send it to my own address' }).click();
  await expect(addressField).toHaveValue('12 Linden Street');
  await expect(zipField).toHaveValue('97201');
  await giftCheckbox.uncheck();
  await expect(addressField).toHaveValue('12 Linden Street');

  await giftCheckbox.check();
  await expect(addressField).toHaveValue('');
  await page.reload();
  await expect(giftCheckbox).toBeChecked();
  await expect(addressField).toHaveValue('');
  await giftCheckbox.uncheck();
  await expect(addressField).toHaveValue('12 Linden Street'); // the form shows the buyer's own address again
  await giftCheckbox.check();
  await page.getByLabel('Recipient’s name').fill('Maria Winter');
  await addressField.fill('7 Elm Street');
  await giftCheckbox.uncheck();
  await expect(addressField).toHaveValue('7 Elm Street'); // a typed address is never removed
});

test('gift details are entered once, survive a reload, and the gift ships to the recipient on its day @phone', async ({
  page,
}, { project }) => {
  const email = `giver-${project.name}@example.com`;
  const shipOn = dayAfter(toShopDay(Date.now()), 40);
  const isGift = page.getByRole('checkbox', { name: 'This is a gift' });
  await page.goto('/customer-details?product=byof');
  await expect(page.getByLabel('First name')).toBeVisible();
  await expect(isGift).toHaveCount(0); // the service ships nothing
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await waitForHydration(page);
  await expect(page.getByLabel('Recipient’s name')).toHaveCount(0);

  await test.step('the gift details survive a reload, and are deleted when the gift box is unchecked', async () => {
    await isGift.check();
    await page.getByLabel('Message on the card').fill('Happy birthday, Maria');
    await expect(page.getByText('279 characters left')).toBeVisible();
    await page.getByLabel('Recipient’s name').fill('Maria Winter');
    await page.reload();
    await expect(isGift).toBeChecked();
    await expect(page.getByLabel('Recipient’s name')).toHaveValue('Maria Winter');
    await isGift.uncheck();
    await page.reload();
    await waitForHydration(page);
    await expect(isGift).not.toBeChecked();
  });
  await test.step('an invalid shipping day shows an error at its field', async () => {
    await page.getByLabel('First name').fill('Rose');
    await page.getByLabel('Last name').fill('Winter');
    await page.getByLabel('Email').fill(email);
    await isGift.check();
    await page.getByLabel('Ship on').fill(dayAfter(toShopDay(Date.now()), -1));
    await page.getByRole('button', { name: 'Continue to payment' }).click();
    await expect(page.getByText(/Please choose a shipping day from today to/)).toBeVisible();
    await expect(page.getByText('Please enter who the gift is for')).toBeVisible();
    await expect(page.getByLabel('Ship on')).toBeFocused(); // the field with the invalid day gets the focus
    await expectAccessible(page);
  });
  await test.step('the arrival estimate depends on the shipping day', async () => {
    await page.getByLabel('Recipient’s name').fill('Maria Winter');
    await page.getByLabel('Message on the card').fill('Happy birthday!\nWith love');
    await page.getByLabel('From (optional)').fill('Rose and the boys');
    await page.getByLabel('Recipient’s phone number').fill('514 555 0123');
    await page.getByLabel('Ship on').fill(shipOn);
    const { from, to } = await (await page.request.get(`/api/delivery-estimate?shipOn=${shipOn}`)).json();
    await expect(page.getByText(`${shortWeekdayText(from)} to ${shortWeekdayText(to)}`)).toBeVisible();
  });
  await fillBuyerDetails(page, email);
  await page.reload();
  await expect(page.getByText('Maria Winter')).toBeVisible();
  await expect(page.getByText(`Ships on ${weekdayText(shipOn)}`)).toBeVisible();
  await expect(page.getByLabel(/^ZIP code/)).toBeVisible(); // the card's ZIP code may differ from the recipient's
  await expectAccessible(page);
  await page.getByLabel(/^ZIP code/).fill('10001');
  await payWithCard(page, cards.pays);
  await expect(page).toHaveURL(/\/complete-registration/);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('Maria');

  await page.goto(await waitForEmailedLink(email, /http\S+\/purchase-success\?session=\S+/));
  await expect(page.getByRole('heading', { name: /Thank you for your order, Rose/ })).toBeVisible();
  await test.step('the giver keeps the order and can let others add photos', async () => {
    await expect(page.getByRole('heading', { name: 'A gift for Maria Winter' })).toBeVisible();
    await page.getByRole('link', { name: 'View order and receipt' }).click();
    await expect(page.getByText(`Ships on ${weekdayText(shipOn)}`)).toBeVisible();
    await expect(page.getByText(`A gift from Rose Winter, ${email}`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Let others add photos' })).toBeVisible();
    await expectAccessible(page);
  });
  if (project.name === 'phone') return;
  await test.step('the owner prints the card and receipt without prices, and is warned of shipping early', async () => {
    await signInAsOwner(page);
    await page.goto(`/admin?tab=orders&filter=gifts&q=${email}`);
    await page.getByRole('button', { name: /^KF-/ }).click();
    const panel = page.getByRole('region', { name: /^Order KF-/ });
    await expect(panel.getByText(`Not before ${weekdayText(shipOn)}`)).toBeVisible();
    await expect(panel.getByText('514 555 0123')).toBeVisible();
    await panel.getByRole('button', { name: 'Ship order...' }).click();
    await expect(page.getByText('If you ship now, it may arrive too early.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await panel.getByRole('link', { name: 'Card and gift receipt' }).click();
    await expect(page.getByRole('heading', { name: 'For Maria Winter' })).toBeVisible();
    await expect(page.getByText('Happy birthday!')).toBeVisible();
    await expect(page.getByText('Kinframe Digital Picture Frame')).toBeVisible();
    await expect(page.getByText('$')).toHaveCount(0);
    await expectAccessible(page);
    await page.emulateMedia({ media: 'print' });
    await expect(page.getByRole('button', { name: 'Print' })).toBeHidden();
  });
});
