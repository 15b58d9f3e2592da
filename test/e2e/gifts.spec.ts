import { dayAfter, dayOf, shortWeekdayWords, weekdayWords } from '#contract/calendar.ts';
import { cards, payWith, sayWhoBuys } from './buying.ts';
import { awake, expect, expectAccessible, linkIn, signInAsOwner, test } from './fixtures.ts';

test('an address goes with whose it is: one’s own is not sent a present unless its giver says so', async ({ page }) => {
  const isGift = page.getByRole('checkbox', { name: 'This is a gift' });
  const line = page.getByLabel('Address', { exact: true });
  const zip = page.getByLabel('ZIP code');
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await awake(page);
  await sayWhoBuys(page, 'own-address@example.com');
  await page.goBack();
  await expect(line).toHaveValue('12 Linden Street'); // as they typed it before
  await isGift.check();
  await expect(line).toHaveValue('');
  await expect(zip).toHaveValue('');
  await page.getByRole('button', { name: 'Send it to my own address' }).click();
  await expect(line).toHaveValue('12 Linden Street');
  await expect(zip).toHaveValue('97201');
  await isGift.uncheck();
  await expect(line).toHaveValue('12 Linden Street');

  await isGift.check();
  await expect(line).toHaveValue('');
  await page.reload();
  await expect(isGift).toBeChecked();
  await expect(line).toHaveValue('');
  await isGift.uncheck();
  await expect(line).toHaveValue('12 Linden Street'); // their own is their own again
  await isGift.check();
  await page.getByLabel('Recipient’s name').fill('Maria Winter');
  await line.fill('7 Elm Street');
  await isGift.uncheck();
  await expect(line).toHaveValue('7 Elm Street'); // what was typed is nobody's to take
});

test('a present: told once, kept through a reload, sent to somebody else on its day @phone', async ({ page }, {
  project,
}) => {
  const email = `giver-${project.name}@example.com`;
  const shipOn = dayAfter(dayOf(Date.now()), 40);
  const isGift = page.getByRole('checkbox', { name: 'This is a gift' });
  await page.goto('/customer-details?product=byof');
  await expect(page.getByLabel('First name')).toBeVisible();
  await expect(isGift).toHaveCount(0); // nothing is sent
  await page.goto('/customer-details?product=kinframe&quantity=1&extras=0');
  await awake(page);
  await expect(page.getByLabel('Recipient’s name')).toHaveCount(0);

  await test.step('what is typed about it outlives a reload, and is forgotten where it is no gift', async () => {
    await isGift.check();
    await page.getByLabel('Message on the card').fill('Happy birthday, Maria');
    await expect(page.getByText('279 characters left')).toBeVisible();
    await page.getByLabel('Recipient’s name').fill('Maria Winter');
    await page.reload();
    await expect(isGift).toBeChecked();
    await expect(page.getByLabel('Recipient’s name')).toHaveValue('Maria Winter');
    await isGift.uncheck();
    await page.reload();
    await awake(page);
    await expect(isGift).not.toBeChecked();
  });
  await test.step('a day that cannot be is refused where it stands', async () => {
    await page.getByLabel('First name').fill('Rose');
    await page.getByLabel('Last name').fill('Winter');
    await page.getByLabel('Email').fill(email);
    await isGift.check();
    await page.getByLabel('Ship on').fill(dayAfter(dayOf(Date.now()), -1));
    await page.getByRole('button', { name: 'Continue to Payment' }).click();
    await expect(page.getByText(/Please choose a day to ship from today until/)).toBeVisible();
    await expect(page.getByText('Please tell us who the gift is for')).toBeVisible();
    await expect(page.getByLabel('Ship on')).toBeFocused(); // though the address was there before it
    await expectAccessible(page);
  });
  await test.step('the day it arrives follows the day it leaves', async () => {
    await page.getByLabel('Recipient’s name').fill('Maria Winter');
    await page.getByLabel('Message on the card').fill('Happy birthday!\nWith love');
    await page.getByLabel('From (optional)').fill('Rose and the boys');
    await page.getByLabel('Ship on').fill(shipOn);
    const { from, to } = await (await page.request.get(`/api/delivery-estimate?shipOn=${shipOn}`)).json();
    await expect(page.getByText(`${shortWeekdayWords(from)} to ${shortWeekdayWords(to)}`)).toBeVisible();
  });
  await sayWhoBuys(page, email);
  await page.reload();
  await expect(page.getByText('Maria Winter')).toBeVisible();
  await expect(page.getByText(`Leaves us on ${weekdayWords(shipOn)}, not before`)).toBeVisible();
  await expect(page.getByLabel(/^ZIP code/)).toBeVisible(); // the recipient's is not the card's
  await expectAccessible(page);
  await page.getByLabel(/^ZIP code/).fill('10001');
  await payWith(page, cards.pays);
  await expect(page).toHaveURL(/\/complete-registration/);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain('Maria');

  await page.goto(await linkIn(email, /http\S+\/purchase-success\?session=\S+/));
  await expect(page.getByRole('heading', { name: /Thank you for your order, Rose/ })).toBeVisible();
  await test.step('its giver keeps the order and hands the photos to others', async () => {
    await expect(page.getByRole('heading', { name: 'A gift for Maria Winter' })).toBeVisible();
    await page.getByRole('link', { name: 'View order and receipt' }).click();
    await expect(page.getByText(`Leaves us on ${weekdayWords(shipOn)}, not before`)).toBeVisible();
    await expect(page.getByText(`A gift from Rose Winter, ${email}`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Let others add photos' })).toBeVisible();
    await expectAccessible(page);
  });
  if (project.name === 'phone') return;
  await test.step('the owner prints its card and receipt without prices, and is told that it is early', async () => {
    await signInAsOwner(page);
    await page.goto(`/admin?tab=orders&filter=gifts&q=${email}`);
    await page.getByRole('button', { name: /^KF-/ }).click();
    const panel = page.getByRole('region', { name: /^Order KF-/ });
    await expect(panel.getByText(`Not before ${weekdayWords(shipOn)}`)).toBeVisible();
    await panel.getByRole('button', { name: 'Ship order...' }).click();
    await expect(page.getByText('Sent now, it may arrive before its day.')).toBeVisible();
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
