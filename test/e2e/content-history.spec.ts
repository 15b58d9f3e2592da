import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, signInAsOwner, test } from './fixtures.ts';

const builtInTitle = 'The photos you love,';
const findTitleField = (page: Page) => page.getByLabel('Title', { exact: true });
const saveSection = async (page: Page) => {
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
};
const openHistory = async (page: Page): Promise<{ dialog: Locator; rows: Locator }> => {
  await page.getByRole('button', { name: 'History' }).click();
  const dialog = page.getByRole('dialog', { name: 'History' });
  return { dialog, rows: dialog.getByRole('list', { name: 'Versions' }).locator('> li') };
};

test('the owner looks at earlier versions of the home page and restores one with one click', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/admin?tab=content&section=hero');
  await expect(findTitleField(page)).toHaveValue(builtInTitle);
  await test.step('the history says so if nothing was saved yet', async () => {
    const { dialog } = await openHistory(page);
    await expect(dialog.getByText('Nothing has been saved here yet')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'History' })).toBeFocused();
  });
  for (const newTitle of ['Yesterday’s words,', 'Today’s words,']) {
    await findTitleField(page).fill(newTitle);
    await saveSection(page);
  }

  const { dialog, rows } = await openHistory(page);
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/\d{4} at \d+:\d\d [AP]M E[SD]T.*What visitors see.*Same as now/s);
  await expect(rows.nth(0).getByRole('button', { name: /^Restore/ })).toBeDisabled();
  await expect(rows.nth(1)).toContainText('Compared with now: title');
  await expect(rows.nth(2)).toContainText('Before the first save');
  await rows.nth(1).getByRole('button', { name: /^Show/ }).click();
  await expect(rows.nth(1).getByRole('list', { name: 'Differences' })).toHaveText(
    /Title.*In this version.*Yesterday’s words,.*Now.*Today’s words,/s,
  );
  await expectAccessible(page);
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(page.getByText('Version restored', { exact: true }).first()).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await expect(findTitleField(page)).toHaveValue('Yesterday’s words,');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Yesterday’s words,');

  await test.step('the panel asks about unsaved changes before it restores a version', async () => {
    await page.goBack();
    await findTitleField(page).fill('Half a thou');
    const repeatedHistory = await openHistory(page);
    await expect(repeatedHistory.rows).toHaveCount(4);
    await repeatedHistory.rows
      .last()
      .getByRole('button', { name: /^Restore/ })
      .click();
    const restoreDialog = page.getByRole('dialog', { name: 'Restore without saving first?' });
    await expectAccessible(page);
    await restoreDialog.getByRole('button', { name: 'Keep editing' }).click();
    await expect(restoreDialog).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(findTitleField(page)).toHaveValue('Half a thou');
    await openHistory(page);
    await repeatedHistory.rows
      .last()
      .getByRole('button', { name: /^Restore/ })
      .click();
    await restoreDialog.getByRole('button', { name: 'Discard and restore' }).click();
    await expect(findTitleField(page)).toHaveValue(builtInTitle);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await (await page.request.get('/data/hero.json')).json()).toMatchObject({ title: builtInTitle });
  });
});

test('a version is not restored over another person’s save, or if it is no longer valid', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/4(09|00) .*\/api\/admin\/content\/site/);
  await signInAsOwner(page);
  await page.goto('/admin?tab=content&section=site');
  const findTaglineField = (tab: Page) => tab.getByLabel(/^Tagline/);
  const textBefore = await findTaglineField(page).inputValue();
  await findTaglineField(page).fill('From this tab');
  await saveSection(page);
  const { dialog, rows } = await openHistory(page);
  await expect(rows).toHaveCount(2);

  const otherTab = await context.newPage();
  await otherTab.goto('/admin?tab=content&section=site');
  await findTaglineField(otherTab).fill('From the other tab');
  await saveSection(otherTab);
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(rows.nth(2).getByRole('alert')).toContainText('Someone else saved this section');
  await expect(rows).toHaveCount(3);
  await expectAccessible(page);
  expect(await (await page.request.get('/data/site.json')).json()).toMatchObject({ tagline: 'From the other tab' });
  await rows
    .nth(2)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(dialog).toHaveCount(0);
  await expect(findTaglineField(page)).toHaveValue(textBefore);

  // Simulate a version that was saved by an older release, which did not require a name.
  await page.route('**/api/admin/content-history?*', async (route) => {
    const response = await route.fetch();
    const history = (await response.json()) as { versions: { value: object }[] };
    history.versions[1]!.value = { ...history.versions[1]!.value, name: '' };
    await route.fulfill({ response: response, json: history });
  });
  await openHistory(page);
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(rows.nth(1).getByRole('alert')).toContainText('Name of the shop: Please enter the shop’s name');
  expect(await (await page.request.get('/data/site.json')).json()).toMatchObject({ tagline: textBefore });
});

test('a picture deleted from the gallery can be restored', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/admin?tab=gallery');
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  const count = await cards.count();
  await cards
    .first()
    .getByRole('button', { name: /^Delete/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await expect(cards).toHaveCount(count - 1);
  const { dialog, rows } = await openHistory(page);
  await expect(rows.nth(1)).toContainText('Compared with now: 1 picture more');
  await expectAccessible(page);
  await rows
    .nth(1)
    .getByRole('button', { name: /^Restore/ })
    .click();
  await expect(dialog).toHaveCount(0);
  await expect(cards).toHaveCount(count);
});
