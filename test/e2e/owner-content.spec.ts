import type { Page } from '@playwright/test';
import { expect, expectAccessible, signInAsOwner, test } from './fixtures.ts';

async function openContent(page: Page): Promise<void> {
  await signInAsOwner(page);
  await page.getByRole('tab', { name: 'Content' }).click();
  await expect(page.getByLabel('Title', { exact: true })).toHaveValue('The photos you love,');
}
const findSection = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name });
const saveSection = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Content saved', { exact: true }).first()).toBeVisible();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
};

test('the owner edits public content, and is asked before leaving with unsaved changes @phone', async ({ page }) => {
  await openContent(page);
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();

  await test.step('a question that moves up is saved and is first on the FAQ page', async () => {
    await findSection(page, 'FAQs').click();
    const questionFields = page.getByRole('textbox', { name: 'Question' });
    const [first, second] = [await questionFields.nth(0).inputValue(), await questionFields.nth(1).inputValue()];
    await page.getByRole('button', { name: 'Move question 2 up' }).click();
    await expect(questionFields.nth(0)).toHaveValue(second);
    const previewRegion = page.getByRole('region', { name: 'Preview' });
    const previewButton = page.getByRole('button', { name: 'Preview', exact: true });
    if (await previewButton.isVisible()) await previewButton.click();
    await expect(previewRegion.getByRole('button').first()).toHaveText(second);
    await page.getByRole('textbox', { name: 'Answer' }).first().fill('As it is typed.');
    await previewRegion.getByRole('button').first().click();
    await expect(previewRegion.getByText('As it is typed.')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('button', { name: 'Move question 2 up' }).click();
    await expect(page.getByRole('button', { name: 'Move question 1 up' })).toBeDisabled();
    await saveSection(page);
    const faqs = (await (await page.request.get('/data/faqs.json')).json()) as { question: string }[];
    expect(faqs.slice(0, 2).map((it) => it.question)).toEqual([second, first]);
    await page.getByRole('button', { name: 'Move question 2 up' }).click();
    await saveSection(page);
  });

  await test.step('unsaved changes are kept until the owner discards them', async () => {
    await findSection(page, 'Hero').click();
    await page.getByLabel('Title', { exact: true }).waitFor();
    const shownElement = page.frameLocator('iframe[title="What visitors see"]');
    const previewButton = page.getByRole('button', { name: 'Preview', exact: true });
    if (await previewButton.isVisible()) await previewButton.click();
    await page.getByLabel('Title', { exact: true }).fill('Look how they move,');
    await expect(shownElement.getByText('Look how they move,')).toBeVisible(); // the preview shows the text as the home page does
    await expectAccessible(page);
    await page.getByLabel('Title', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(page.getByText('Please enter a title')).toBeVisible();
    await page.getByRole('tab', { name: 'Production' }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Title', { exact: true })).toHaveValue('');
    await findSection(page, 'About Us').click();
    await dialog.getByRole('button', { name: 'Discard changes' }).click();
    await expect(page.getByRole('heading', { name: 'About Us' })).toBeVisible();
    expect(await (await page.request.get('/data/hero.json')).json()).toMatchObject({ title: 'The photos you love,' });
  });

  await test.step('the preview shows the site settings as on a phone and as on a computer', async () => {
    await findSection(page, 'Site Settings').click();
    await page.getByLabel('Name of the shop').waitFor();
    const previewButton = page.getByRole('button', { name: 'Preview', exact: true });
    if (await previewButton.isVisible()) await previewButton.click();
    const previewIframe = page.locator('iframe[title="What visitors see"]');
    const previewFrame = previewIframe.contentFrame();
    await page.getByLabel('Name of the shop').fill('Otto & Sons');
    await page.getByLabel('Phone', { exact: false }).fill('+1 503 555 0100');
    await page.getByLabel('Description').fill('Frames that move.');
    await expect(previewFrame.getByRole('banner').getByText('Otto & Sons')).toBeVisible();
    const buyLink = previewFrame.getByRole('banner').getByRole('link', { name: 'Buy now' });
    await expect(buyLink).toHaveCSS('background-color', 'rgb(180, 83, 42)'); // the accent color of the shop
    await expect(previewFrame.getByRole('contentinfo').getByText('+1 503 555 0100')).toBeVisible();
    // A social link leads to the shop's own page. Without an address, there is no link.
    await page.getByLabel('Facebook').fill('https://www.facebook.com/otto');
    await page.getByLabel('Instagram').fill('');
    await expect(previewFrame.getByRole('link', { name: 'Facebook' })).toHaveAttribute(
      'href',
      'https://www.facebook.com/otto',
    );
    await expect(previewFrame.getByRole('link', { name: 'Instagram' })).toHaveCount(0);
    await page.getByLabel('YouTube').fill('javascript:alert(1)');
    await page.getByRole('button', { name: 'Save', exact: false }).first().click();
    await expect(page.getByText('Please enter a link that starts with https://')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Preview' }).getByText('Frames that move.')).toBeVisible();
    const menu = previewFrame.getByLabel('Open menu');
    await expect(menu).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Computer' }).click();
    await expect(menu).toBeHidden();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    await expect(previewFrame.getByText('Otto & Sons')).toHaveCount(0);
  });

  await test.step('a part of the about page is saved and still there after a reload', async () => {
    await findSection(page, 'About Us').click();
    await page.getByRole('button', { name: 'Team', exact: true }).click();
    const titleField = page.getByLabel(/^Title/);
    const textBefore = await titleField.inputValue();
    await titleField.fill('Who we are today');
    await saveSection(page);
    await page.reload();
    await expect(titleField).toHaveValue('Who we are today');
    await page.goto('/about');
    await expect(page.getByRole('heading', { name: 'Who we are today' })).toBeVisible();
    await page.goBack();
    await titleField.fill(textBefore);
    await saveSection(page);
  });
});

test('an invalid promotion is refused at the wrong fields; a valid one works immediately', async ({ page }) => {
  await openContent(page);
  await findSection(page, 'Promotions').click();
  await page.getByRole('button', { name: 'Add promotion' }).click();
  const promotionGroup = page.getByRole('group', { name: 'promotion 4' });
  await promotionGroup.getByLabel('Announcement').fill('For our neighbors');
  await promotionGroup.getByLabel('First day').fill('2020-06-30');
  await promotionGroup.getByLabel('Last day').fill('2020-06-01');
  await promotionGroup.getByLabel('Code').fill(' gift10 ');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  for (const text of [
    'The last day is before the first',
    'How much does the code take off, in percent?',
    'Another promotion already uses this code',
  ])
    await expect(promotionGroup.getByText(text)).toBeVisible();
  await expectAccessible(page);
  await promotionGroup.getByLabel('Last day').fill('2099-06-30');
  await promotionGroup.getByLabel('Code').fill('Neighbor20');
  await promotionGroup.getByLabel('Percent off').fill('20');
  await promotionGroup.getByLabel('Maximum uses').fill('5');
  await saveSection(page);
  await expect(promotionGroup.getByText('Used 0 of 5 times')).toBeVisible();
  const promoCodeResponse = await page.request.post('/api/check-promo-code', {
    data: { productId: 'kinframe', quantity: 1, extraPackages: 0, promoCode: 'NEIGHBOR20' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(await promoCodeResponse.json()).toEqual({ promoCode: 'Neighbor20', discountAmount: 3980 });
  await page.getByRole('button', { name: 'Remove promotion 4' }).click();
  await expect(page.getByRole('button', { name: 'Add promotion' })).toBeFocused();
  await saveSection(page);
  await expect(promotionGroup).toHaveCount(0);
});

test('if two tabs save the same section, the second tab lets the owner choose between both versions', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/409 .*\/api\/admin\/content\/hero/);
  await openContent(page);
  const otherTab = await context.newPage();
  await otherTab.goto('/admin?tab=content&section=hero');
  const findTitleField = (tab: Page) => tab.getByLabel('Title', { exact: true });
  const textBefore = await findTitleField(page).inputValue();
  await findTitleField(otherTab).fill('From the other tab,');
  await saveSection(otherTab);

  await findTitleField(page).fill('From this tab,');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Someone else saved this section' });
  await expect(dialog.getByRole('listitem')).toHaveText(/Title.*Yours.*From this tab,.*Theirs.*From the other tab,/s);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(findTitleField(page)).toHaveValue('From this tab,');

  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await dialog.getByRole('button', { name: 'Use theirs' }).click();
  await expect(findTitleField(page)).toHaveValue('From the other tab,');
  await findTitleField(page).fill('From this tab after all,');
  await saveSection(page);

  await findTitleField(otherTab).fill(textBefore);
  await otherTab.getByRole('button', { name: 'Save', exact: true }).click();
  await otherTab.getByRole('button', { name: 'Save mine instead' }).click();
  await expect(otherTab.getByText('Content saved', { exact: true }).last()).toBeVisible();
  expect(await (await page.request.get('/data/hero.json')).json()).toMatchObject({ title: textBefore });
});

test('the product page says that the frame’s facts are examples until the owner enters their own', async ({ page }) => {
  const readProductPage = () => page.request.get('/product/kinframe').then((it) => it.text());
  expect(await readProductPage()).toContain('2.4 pounds (example)');
  await openContent(page);
  await findSection(page, 'Frame facts').click();
  await expect(page.getByLabel('Weight')).not.toHaveValue('');
  const previewRegion = page.getByRole('region', { name: 'Preview' });
  const previewButton = page.getByRole('button', { name: 'Preview', exact: true });
  if (await previewButton.isVisible()) await previewButton.click();
  await expect(previewRegion.getByText('2.4 pounds (example)')).toBeVisible();
  await page.getByLabel('Weight').fill('3 pounds 1 ounce');
  await page.getByLabel('Storage').fill('');
  await page.getByLabel('What’s in the box').fill('A frame, a cable and a card.');
  await page.getByLabel('Mark as examples').selectOption({ label: 'None' });
  await expect(previewRegion.getByText('3 pounds 1 ounce')).toBeVisible();
  await expect(previewRegion.getByText('(example)')).toHaveCount(0);
  await expectAccessible(page);
  await saveSection(page);
  const html = await readProductPage();
  for (const text of ['3 pounds 1 ounce', 'A frame, a cable and a card.']) expect(html).toContain(text);
  for (const text of ['(example)', '>Storage<']) expect(html).not.toContain(text);
  await page.goto('/product/kinframe');
  await expect(page.getByText('3 pounds 1 ounce')).toBeVisible();
  await expectAccessible(page);
});
