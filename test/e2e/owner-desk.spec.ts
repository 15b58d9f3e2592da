import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import {
  waitForHydration,
  expect,
  expectAccessible,
  readMailsTo,
  createTestPicture,
  signInAsOwner,
  test,
} from './fixtures.ts';

const sameOriginHeaders = { headers: { 'sec-fetch-site': 'same-origin' } };
async function sendQuestion(page: Page, email: string, subject: string): Promise<void> {
  const ticketFields = {
    name: 'Anna Keller',
    email,
    subject,
    message: `It does not wake up.\n\n<b>Is it broken?</b>\n\nhttps://example.com/${'film'.repeat(30)}`,
  };
  const createResponse = await page.request.post('/api/support-tickets', { data: ticketFields, ...sameOriginHeaders });
  expect(createResponse.ok()).toBe(true);
}
const openTab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

test('the owner sees a new ticket without a reload, answers it, adds a note and completes it @phone', async ({ page }, {
  project,
}) => {
  const email = `anna-${project.name}@example.com`;
  const subject = `My frame sleeps ${project.name}`;
  await signInAsOwner(page);
  await openTab(page, 'Support Tickets');
  await expect(page.getByRole('tab', { name: 'Open', exact: true })).toHaveAttribute('aria-selected', 'true');
  await sendQuestion(page, email, subject);
  const card = page.getByRole('button', { name: subject });
  await expect(card).toBeVisible(); // the open page updates without a reload
  await expectAccessible(page);

  await card.click();
  const dialog = page.getByRole('dialog', { name: subject });
  await expect(dialog.getByText('<b>Is it broken?</b>')).toBeVisible();
  expect(await dialog.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  await dialog.getByRole('link', { name: 'Orders with this email' }).click();
  await expect(page.getByRole('searchbox').or(page.getByPlaceholder(/^Search number/))).toHaveValue(email);
  await page.goBack();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog.getByText('Please write your answer first')).toBeVisible();
  await dialog.getByLabel('Your answer').fill('Hold the button for ten seconds.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await openTab(page, 'Users');
  await openTab(page, 'Support Tickets');
  await page.reload();
  await card.click();
  await expect(dialog.getByLabel('Your answer')).toHaveValue('Hold the button for ten seconds.'); // the draft is kept
  await expectAccessible(page);
  await dialog.getByLabel('Your answer').press('Control+Enter');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'You answered by email' })).toContainText(
    'Hold the button for ten seconds.',
  );
  await expect
    .poll(async () => (await readMailsTo(email)).filter((it) => it.text?.includes('Hold the button')).length)
    .toBe(1);

  await expect(dialog.getByText('We save them when you leave the field.')).toBeVisible();
  await dialog.getByLabel('Admin notes').fill('Call her on Monday');
  await expect(dialog.getByText('Not saved yet')).toBeVisible();
  await dialog.getByLabel('Admin notes').blur();
  await expect(dialog.getByText('Saved. Only you see them.')).toBeVisible();
  await dialog.getByLabel('Admin notes').fill('Call her on Tuesday');
  await page.keyboard.press('Escape'); // closes the field and the dialog, even while a notification is shown
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: subject }).click();
  await expect(dialog.getByLabel('Admin notes')).toHaveValue('Call her on Tuesday');
  await dialog.getByRole('button', { name: 'Mark as Completed' }).click();
  await expect(dialog.getByRole('button', { name: 'Mark as Completed' })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('button', { name: subject })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Completed', exact: true }).click();
  await expect(page.getByRole('article').filter({ hasText: subject })).toContainText('1 answer sent');
});

test('notes typed during a save are saved after it, and closing the ticket then asks no question', async ({ page }) => {
  const subject = 'My frame is slow';
  await signInAsOwner(page);
  await sendQuestion(page, 'slow@example.com', subject);
  await openTab(page, 'Support Tickets');
  await page.getByRole('button', { name: subject }).click();
  let requestCount = 0;
  await page.route('**/api/support-tickets/*', async (route) => {
    const firstPatchResponse =
      route.request().method() === 'PATCH' && ++requestCount === 1 ? await route.fetch() : undefined;
    if (!firstPatchResponse) return route.continue();
    await setTimeout(1500);
    await route.fulfill({ response: firstPatchResponse });
  });
  const dialog = page.getByRole('dialog', { name: subject });
  const notesField = dialog.getByLabel('Admin notes');
  await notesField.fill('Call her on Monday');
  await notesField.blur();
  await notesField.fill('Call her on Tuesday');
  await notesField.blur();
  await notesField.fill('Call her on Wednesday');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.reload();
  await page.getByRole('button', { name: subject }).click();
  await expect(notesField).toHaveValue('Call her on Wednesday');
});

test('a picture is added to the gallery, shown there, and deleted after a confirmation @phone', async ({ page }, {
  project,
}) => {
  const title = `Kite ${project.name}`;
  await signInAsOwner(page);
  await openTab(page, 'Gallery');
  await page.getByRole('button', { name: 'Add picture' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add a picture' });
  const saveButton = dialog.getByRole('button', { name: 'Save', exact: true });
  await dialog.getByLabel('Title').fill('  ');
  await dialog.getByLabel('File for Before image').setInputFiles(await createTestPicture('kite.jpg', '#c05030'));
  await expect(dialog.getByRole('textbox', { name: 'Before image' })).toHaveValue(/^\/content\/[0-9a-f-]{36}\.jpg$/);
  await expect(saveButton).toBeDisabled();
  await dialog.getByLabel('Title').fill(`  ${title} `);
  await expectAccessible(page);
  await saveButton.click();
  await expect(dialog).toHaveCount(0);
  const card = page.getByRole('article').filter({ hasText: title });
  await expect(card).toContainText('No video yet');
  await expectAccessible(page);

  await page.goto('/gallery');
  const shownElement = page.getByRole('button', { name: `See it move: ${title}` }).locator('img');
  await shownElement.scrollIntoViewIfNeeded();
  await expect.poll(() => shownElement.evaluate((it) => (it as HTMLImageElement).naturalWidth)).toBe(1600);

  await page.goto('/admin?tab=gallery');
  await card.getByRole('button', { name: `Edit ${title}` }).click();
  const editDialog = page.getByRole('dialog', { name: 'Edit the picture' });
  await editDialog.getByLabel('Caption').fill('Below the hill.');
  await page.keyboard.press('Escape');
  const leaveDialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await expectAccessible(page);
  await leaveDialog.getByRole('button', { name: 'Keep editing' }).click();
  await expect(editDialog.getByLabel('Caption')).toHaveValue('Below the hill.');
  await editDialog.getByRole('button', { name: 'Cancel' }).click();
  await leaveDialog.getByRole('button', { name: 'Discard changes' }).click();
  await expect(editDialog).toHaveCount(0);
  await card.getByRole('button', { name: `Edit ${title}` }).click();
  await expect(editDialog.getByLabel('Caption')).toHaveValue('');
  await page.keyboard.press('Escape'); // there is nothing unsaved, so nothing is asked
  await expect(editDialog).toHaveCount(0);
  await card.getByRole('button', { name: `Edit ${title}` }).click();
  await editDialog.getByLabel('Caption').fill('Above the lake.');
  await editDialog.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(card).toContainText('Above the lake.');
  await card.getByRole('button', { name: `Delete ${title}` }).click();
  const deleteDialog = page.getByRole('dialog', { name: `Delete “${title}”?` });
  await expect(deleteDialog).toContainText('You can restore it from the gallery’s History.');
  await deleteDialog.getByRole('button', { name: 'Delete' }).click();
  await expect(card).toHaveCount(0);
  // The focus moves to the delete button of the next picture.
  await expect(page.getByRole('button', { name: /^Delete / }).and(page.locator(':focus'))).toBeVisible();
});

test('if two tabs change the gallery, the second tab lets the owner choose between both versions', async ({
  page,
  context,
  expectProblem,
}) => {
  expectProblem(/409 .*\/api\/admin\/gallery/);
  await signInAsOwner(page);
  await openTab(page, 'Gallery');
  const otherTab = await context.newPage();
  await otherTab.goto('/admin?tab=gallery');
  const renameCustomer = async (tab: Page, from: string, to: string) => {
    await tab.getByRole('button', { name: `Edit ${from}` }).click();
    await tab.getByLabel('Title').fill(to);
    await tab.getByRole('button', { name: 'Save', exact: true }).click();
  };
  await expect(page.getByRole('button', { name: 'Edit Kite at the lake' })).toBeVisible();
  await renameCustomer(otherTab, 'Kite at the lake', 'The other kite');
  await expect(otherTab.getByRole('button', { name: 'Edit The other kite' })).toBeVisible();
  await renameCustomer(page, 'Kite at the lake', 'My kite');
  const conflictDialog = page.getByRole('dialog', { name: 'Someone else saved this section' });
  await expect(conflictDialog.getByRole('listitem')).toHaveText(/Picture 1, Title.*My kite.*The other kite/is);
  await expectAccessible(page);
  await conflictDialog.getByRole('button', { name: 'Use theirs' }).click();
  await expect(page.getByRole('button', { name: 'Edit The other kite' })).toBeVisible();
  await renameCustomer(page, 'The other kite', 'Kite at the lake');
  await expect(page.getByRole('button', { name: 'Edit Kite at the lake' })).toBeVisible();
});

test('a file that is not a picture is refused with a message', async ({ page, expectProblem }) => {
  expectProblem(/415 .*\/api\/admin\/content\/upload/);
  await signInAsOwner(page);
  await openTab(page, 'Content');
  const backgroundAddressField = page.getByRole('textbox', { name: 'Background video or picture' });
  const textBefore = await backgroundAddressField.inputValue();
  const backgroundFileInput = page.getByLabel('File for Background video or picture');
  await backgroundFileInput.setInputFiles({
    name: 'kite.jpg',
    mimeType: 'image/jpeg',
    buffer: Buffer.from('no picture'),
  });
  await expect(page.getByText('We can’t show this file: kite.jpg.').first()).toBeVisible();
  await expect(backgroundAddressField).toHaveValue(textBefore);
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled();
});

test('the to-do list is above the tabs, links to the page for each task, and comes by email if the owner wants it @phone', async ({
  page,
}, { project }) => {
  await signInAsOwner(page);
  await sendQuestion(page, `waits-${project.name}@example.com`, `It waits ${project.name}`);
  const toDoRegion = page.getByRole('region', { name: 'Your to-do list' });
  await openTab(page, 'Gallery');
  const openTicketsLink = toDoRegion.getByRole('link', { name: /open tickets?/ });
  /** On a phone the list is folded to one line above the tabs. */
  const unfoldHeader = async () => {
    const toggleButton = toDoRegion.getByRole('button', { name: /Your to-do list$/ });
    if (!(await toggleButton.isVisible())) return;
    await expect(toggleButton).toContainText(/[1-9]/);
    await expect(openTicketsLink).toBeHidden();
    expect((await page.getByRole('tablist', { name: 'Admin' }).boundingBox())!.y).toBeLessThan(340);
    await toggleButton.click();
  };
  await unfoldHeader();
  await expect(openTicketsLink).toBeVisible(); // the open page updates without a reload
  await expectAccessible(page);
  await openTicketsLink.click();
  await expect(page.getByRole('tab', { name: 'Support Tickets' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('button', { name: `It waits ${project.name}` })).toBeVisible();

  await unfoldHeader();
  await toDoRegion.getByRole('button', { name: 'Email me every morning' }).click();
  await expect(page.getByText('Emailed every morning', { exact: true })).toBeVisible();
  await page.reload();
  await expect(toDoRegion).toBeVisible();
  await unfoldHeader();
  await toDoRegion.getByRole('button', { name: 'Stop the morning email' }).click();
  await expect(toDoRegion.getByRole('button', { name: 'Email me every morning' })).toBeVisible();
});

test('an address with an unknown tab opens the panel at its orders', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/admin?tab=nowhere&range=forever');
  await expect(page.getByRole('tab', { name: 'Orders & Uploads' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('searchbox')).toBeVisible();
});

test('if a part of the panel cannot be loaded, a message replaces it and the rest keeps working @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/dynamically imported module/);
  // Block the files before the sign-in. The list may open under the pointer, and hovering over an order loads its
  // panel.
  await page.route('**/assets/order-panel-*.js', (route) => route.fulfill({ status: 404 }));
  await page.route('**/assets/security-*.js', (route) => route.fulfill({ status: 404 }));
  // Set the time of the last automatic reload to now, so that the page does not reload automatically.
  await page.addInitScript(() => sessionStorage.setItem('loadedAnewAt', String(Date.now())));
  await signInAsOwner(page);
  await waitForHydration(page);
  const missingMessage = page.getByRole('alert').filter({ hasText: /We couldn’t load part of this page/ });
  await page.getByRole('button', { name: 'Security' }).click();
  const securityDialog = page.getByRole('dialog', { name: 'Security' });
  await expect(securityDialog.getByRole('button', { name: 'Reload the page' })).toBeVisible();
  await expectAccessible(page);
  await securityDialog.getByRole('button', { name: 'Close' }).click();
  await expect(missingMessage).toHaveCount(0);
  await page.getByRole('button', { name: /KF-/ }).first().click();
  await expect(missingMessage).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/assets/order-panel-*.js');
  await missingMessage.getByRole('button', { name: 'Reload the page' }).click();
  await expect(page.getByRole('region', { name: /^Order KF-/ })).toBeVisible();
});
