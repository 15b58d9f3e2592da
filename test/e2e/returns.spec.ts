import { createFrameOwner } from './buying.ts';
import {
  expect,
  expectAccessible,
  readMailsTo,
  createTestPicture,
  signInAsOwner,
  test,
  waitForEmailedLink,
  waitForHydration,
} from './fixtures.ts';

test('a customer asks for a return with a photo, the owner approves and refunds it, and the customer sees it @phone-only', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const email = await createFrameOwner(context, baseURL!, {}, { quantity: 2 });
  const ownerPage = await (await browser.newContext({ baseURL: baseURL!, viewport: page.viewportSize() })).newPage();
  await signInAsOwner(ownerPage);
  const { rows } = await (await ownerPage.request.get(`/api/admin/lists/orders?q=${encodeURIComponent(email)}`)).json();
  const [{ id, orderNumber }] = rows as [{ id: string; orderNumber: string }];
  const shipmentResponse = await ownerPage.request.post(`/api/admin/orders/${id}/shipment`, {
    data: { carrier: 'UPS', trackingNumber: '1Z999', tellAgain: false, key: crypto.randomUUID() },
    headers: { origin: baseURL! },
  });
  expect(shipmentResponse.status(), await shipmentResponse.text()).toBe(200);
  const card = page.getByRole('heading', { name: 'Returns', exact: true }).locator('..');

  await test.step('the customer chooses a frame, a reason and a photo', async () => {
    const pageResponse = await page.goto(`/orders/${orderNumber}`);
    expect(await pageResponse!.text()).toContain('You can return'); // in the HTML, before any script
    await waitForHydration(page);
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Return a frame' }).click();
    await card.getByRole('button', { name: 'Request a return' }).click();
    await expect(card.getByText('Please choose a frame', { exact: true })).toBeVisible();
    await expect(card.getByText('Please choose a reason')).toBeVisible();
    await expectAccessible(page);
    await card.getByRole('checkbox', { name: 'Kinframe 1' }).check();
    await card.getByLabel('Reason').selectOption({ label: 'It arrived damaged' });
    await card.getByLabel('What happened?').fill('The glass has a crack.\nThe box was fine.');
    await card.locator('input[type=file]').setInputFiles(await createTestPicture('crack.jpg', '#803020'));
    await expect(card.getByText('crack.jpg')).toBeVisible();
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Request a return' }).click();
    await expect(card.getByText('Waiting for our answer')).toBeVisible();
    await expect(card.getByText('The box was fine.')).toBeVisible();
    const shownElement = card.getByRole('img', { name: 'What you showed us' });
    await expect.poll(() => shownElement.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
    await expect(page.getByText('Return requested: Kinframe 1.')).toBeVisible();
    await expectAccessible(page);
  });

  await test.step('without a session, neither the photo nor a form is shown', async () => {
    const photoUrl = (await card.getByRole('img').getAttribute('src'))!;
    const visitorContext = await browser.newContext({ baseURL: baseURL! });
    expect((await visitorContext.request.get(photoUrl)).status()).toBe(404);
    expect((await page.request.get(photoUrl)).status()).toBe(200);
    const summaryResponse = await (
      await visitorContext.newPage()
    ).goto((await waitForEmailedLink(email, /http\S+\/orders\/\S+session=\S+/)).replace(/^https?:\/\/[^/]+/, baseURL!));
    const html = await summaryResponse!.text();
    expect(html).toContain('To return a frame, please sign in to your account');
    expect(html).not.toContain('The box was fine');
  });

  await test.step('the owner finds the return on the to-do list and approves it with an answer', async () => {
    await ownerPage.goto('/admin');
    const todoListButton = ownerPage.getByRole('button', { name: /Your to-do list$/ }); // on a phone
    const waitingLink = ownerPage.getByRole('link', { name: '1 return to answer' });
    await expect(todoListButton.or(waitingLink)).toBeVisible();
    if (await todoListButton.isVisible()) await todoListButton.click();
    await waitingLink.click();
    await ownerPage.getByRole('button', { name: orderNumber }).click();
    const panel = ownerPage.getByRole('region', { name: `Order ${orderNumber}` });
    await expect(panel.getByText('It arrived damaged')).toBeVisible();
    await expect(panel.getByRole('img', { name: /^Shown by the customer/ })).toBeVisible();
    await expectAccessible(ownerPage);
    await panel.getByRole('button', { name: 'Approve...' }).click();
    const dialog = ownerPage.getByRole('dialog', { name: 'Approve the return' });
    await expect(dialog.getByText(`We’ll send one email to ${email} with your answer`)).toBeVisible();
    await expectAccessible(ownerPage);
    await dialog.getByRole('button', { name: 'Approve return' }).click();
    await expect(dialog.getByText('Please add a label, a link or an answer')).toBeVisible();
    await dialog.getByLabel('What the customer should do').fill('Please use the box it came in.');
    await dialog.getByLabel('Label file').setInputFiles({
      name: 'label.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
    });
    await dialog.getByRole('button', { name: 'Approve return' }).click();
    await expect(ownerPage.getByRole('dialog')).toHaveCount(0);
    await expect(panel.getByText('Approved', { exact: true })).toBeVisible();
    await expect(panel.getByText('Return approved: Kinframe 1.')).toBeVisible();
  });

  await test.step('the customer sees the answer and the label', async () => {
    await expect
      .poll(
        async () => (await readMailsTo(email)).filter((it) => /Your return is approved/.test(it.subject ?? '')).length,
      )
      .toBe(1);
    await page.reload();
    await expect(card.getByText('Please use the box it came in.')).toBeVisible();
    const label = (await card.getByRole('link', { name: 'Open the shipping label' }).getAttribute('href'))!;
    expect((await page.request.get(label)).headers()['content-type']).toBe('application/pdf');
    await waitForHydration(page);
    await expectAccessible(page);
  });

  await test.step('the owner marks the package as received, and a refund completes the return', async () => {
    const panel = ownerPage.getByRole('region', { name: `Order ${orderNumber}` });
    await panel.getByRole('button', { name: 'Package received...' }).click();
    await ownerPage.getByRole('dialog').getByRole('checkbox', { name: 'Email the customer' }).uncheck();
    await ownerPage.getByRole('dialog').getByRole('button', { name: 'Package received' }).click();
    await expect(panel.getByText('To refund or replace')).toBeVisible();
    const returnsSection = panel.getByRole('heading', { name: 'Returns' }).locator('..');
    await returnsSection.getByRole('button', { name: 'Refund...' }).click();
    await ownerPage.getByLabel('Amount in dollars').fill('199');
    await ownerPage.getByLabel('Reason').fill('Returned because of a crack.');
    await expect(ownerPage.getByLabel('For a return').locator('option:checked')).toHaveText('Kinframe 1');
    await expectAccessible(ownerPage);
    await ownerPage.getByRole('button', { name: 'Continue' }).click();
    const refundDialog = ownerPage.getByRole('dialog', { name: 'Refund $199.00?' });
    await expect(refundDialog).toContainText('This ends the return of Kinframe 1.');
    await refundDialog.getByRole('button', { name: 'Refund $199.00' }).click();
    await expect(ownerPage.getByRole('dialog')).toHaveCount(0);
    await expect(returnsSection.getByText('$199.00 refunded')).toBeVisible();
    await page.reload();
    await expect(card.getByText('$199.00 refunded')).toBeVisible();
    expect((await readMailsTo(email)).filter((it) => /Your return is here/.test(it.subject ?? ''))).toEqual([]);
  });

  await test.step('the customer asks to return the other frame and withdraws it', async () => {
    await waitForHydration(page);
    await card.getByRole('button', { name: 'Return a frame' }).click();
    await card.getByLabel('Reason').selectOption({ label: 'I changed my mind' });
    await card.getByRole('button', { name: 'Request a return' }).click();
    await card.getByRole('button', { name: 'Withdraw this return' }).click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await expect(card.getByText('You withdrew this return')).toBeVisible();
    await expect(card.getByRole('button', { name: 'Return a frame' })).toBeVisible();
  });
});
