import { readFileSync } from 'node:fs';
import type { APIRequestContext } from '@playwright/test';
import { anna } from '../people.ts';
import { createFrameOwner } from './buying.ts';
import { expect, readMailsTo, shopOrigin, drawRealPhotos, signInAsOwner, test } from './fixtures.ts';

/** A text that opens a dialog if a page treats it as markup. The word at the start names its field. */
const withScript = (word: string) => `${word}<img src=x onerror=alert(1)>`;

test('customers’ text is shown in the panel and in emails, but never run as markup', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const openedDialogs: string[] = [];
  context.on('dialog', (dialog) => {
    openedDialogs.push(`${dialog.page()?.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const callApi = async (
    request: APIRequestContext,
    method: 'get' | 'post' | 'put',
    path: string,
    more: object = {},
  ) => {
    const response = await request[method](path, { headers: { origin: baseURL! }, ...more });
    expect(response.status(), `${path}: ${await response.text()}`).toBe(200);
    return response.json();
  };

  const familyContext = await browser.newContext({ baseURL: baseURL! });
  const email = await createFrameOwner(familyContext, baseURL!, {
    firstName: withScript('Rose'),
    lastName: withScript('Winter'),
    phone: withScript('5'),
    address: { ...anna.address, line1: withScript('Lane'), line2: withScript('Door'), city: withScript('Town') },
    gift: { recipientName: withScript('Maria'), from: withScript('Nana'), message: withScript('Joy') },
  });
  const limits = await callApi(familyContext.request, 'get', '/api/frame-photo-limits');
  const deviceId = JSON.stringify(limits).match(/"deviceId":"([^"]+)"/)![1]!;
  const photo = {
    name: `${withScript('Kite')}.jpg`,
    mimeType: 'image/jpeg',
    buffer: readFileSync((await drawRealPhotos())[0]!),
  };
  await callApi(familyContext.request, 'post', '/api/upload', { multipart: { deviceId, image: photo } });
  const [upload] = await callApi(familyContext.request, 'get', `/api/uploads?deviceId=${deviceId}`);
  await callApi(familyContext.request, 'put', `/api/uploads/${upload.id}`, {
    data: { caption: withScript('Caption') },
  });
  const connection = { invitationCode: withScript('Code') };
  await callApi(familyContext.request, 'put', `/api/devices/${deviceId}/connection`, { multipart: connection });
  const view = {
    pagePath: `/${withScript('Page')}`,
    referrer: `https://${withScript('Site')}`, // not a valid URL, so the shop does not store it
    userAgent: 'Mozilla/5.0 Safari/605',
  };
  expect(
    (await familyContext.request.post('/api/page-views', { data: view, headers: { origin: baseURL! } })).ok(),
  ).toBe(true);
  const lastDay = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const link = await callApi(familyContext.request, 'post', `/api/devices/${deviceId}/collect-link`, {
    data: { name: withScript('Party'), lastDay },
  });
  const contributorContext = await browser.newContext({ baseURL: baseURL! });
  const token = JSON.stringify(link).match(/\/collect\/([\w-]+)/)![1]!;
  await callApi(contributorContext.request, 'post', `/api/collect/${token}/contributors`, {
    data: { firstName: 'L<img src=x onerror=alert(1)>' },
  });
  await callApi(contributorContext.request, 'post', `/api/collect/${token}/photos`, { multipart: { image: photo } });
  await callApi(familyContext.request, 'post', '/api/support-tickets', {
    data: {
      name: withScript('Asker'),
      email,
      phone: withScript('6'),
      subject: withScript('Subject'),
      message: withScript('Message'),
    },
  });

  await signInAsOwner(page);
  const expectShownAsText = (word: string) => expect(page.getByText(withScript(word)).first()).toBeVisible();
  const openTab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const searchFor = async (words: string) => page.getByRole('searchbox').fill(words);

  await searchFor(email);
  await expectShownAsText('Rose');
  await page.getByRole('button', { name: /KF-/ }).first().click();
  for (const word of ['Winter', 'Lane', 'Door', 'Town', '5', 'Maria', 'Nana', 'Joy', 'Code'])
    await expectShownAsText(word);
  await page
    .getByRole('region', { name: /^Order KF-/ })
    .getByRole('button', { name: 'Manage uploads' })
    .click();
  await expectShownAsText('Kite');
  await page.getByRole('button', { name: 'View', exact: true }).first().click();
  await expectShownAsText('Kite');
  await page.keyboard.press('Escape');

  await page.goto('/admin?tab=customers');
  await searchFor(email);
  await expectShownAsText('Rose');
  await page.getByRole('button', { name: /Rose/ }).first().click();
  await expect(page.getByRole('dialog').getByText(withScript('Winter')).first()).toBeVisible();

  await page.goto('/admin?tab=users');
  await searchFor(email);
  await expectShownAsText('Rose');

  await page.goto('/admin?tab=support');
  await page.getByRole('button', { name: withScript('Subject') }).click();
  for (const word of ['Asker', 'Message', '6']) await expectShownAsText(word);

  await page.goto(`/admin?tab=production&view=frames&q=${email}`);
  for (const word of ['Rose', 'Code']) await expectShownAsText(word);
  const { contributions } = await callApi(familyContext.request, 'get', `/api/devices/${deviceId}/collect-link`);
  const ids = contributions[0].photos.map((it: { id: string }) => it.id);
  await callApi(familyContext.request, 'post', `/api/devices/${deviceId}/accept-photos`, { data: { ids } });
  await callApi(familyContext.request, 'post', '/api/uploads/finalize', { data: { deviceId } });
  await page.goto(`/admin?tab=production&q=${email}`);
  for (const word of ['Rose', 'Kite']) await expectShownAsText(word);
  await openTab('Analytics');
  await expectShownAsText('Page');
  await openTab('Gallery');
  await openTab('Content');

  await page.goto('/admin');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('combobox').fill(email);
  await expectShownAsText('Subject');
  const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
  await page.goto(`/admin/gift-receipt/${rows[0].id}`);
  for (const word of ['Maria', 'Nana', 'Joy']) await expectShownAsText(word);

  // Show each email like a mail program.
  await expect.poll(async () => (await readMailsTo('support@kinframe.example')).length).toBeGreaterThan(1);
  const mails = [...(await readMailsTo(email)), ...(await readMailsTo('support@kinframe.example'))];
  expect(mails.some((mail) => mail.html?.includes('&lt;img src=x'))).toBe(true);
  const readerPage = await context.newPage();
  await readerPage.goto(`${shopOrigin()}/sandbox`);
  for (const { html, subject } of mails) {
    await readerPage.setContent(html!);
    expect(await readerPage.locator('img[src=x]').count(), subject).toBe(0);
  }
  expect(openedDialogs).toEqual([]);
});
