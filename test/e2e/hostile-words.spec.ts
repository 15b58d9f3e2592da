import { readFileSync } from 'node:fs';
import type { APIRequestContext } from '@playwright/test';
import { anna } from '../people.ts';
import { createFrameOwner } from './buying.ts';
import { expect, mailsTo, origin, realPhotos, signInAsOwner, test } from './fixtures.ts';

/** A text that opens a dialog if a page treats it as markup. The word at the start names its field. */
const hostile = (word: string) => `${word}<img src=x onerror=alert(1)>`;

test('customers’ text is shown in the panel and in emails, but never run as markup', async ({
  page,
  context,
  browser,
  baseURL,
}) => {
  const opened: string[] = [];
  context.on('dialog', (dialog) => {
    opened.push(`${dialog.page()?.url()}: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const call = async (request: APIRequestContext, method: 'get' | 'post' | 'put', path: string, more: object = {}) => {
    const answer = await request[method](path, { headers: { origin: baseURL! }, ...more });
    expect(answer.status(), `${path}: ${await answer.text()}`).toBe(200);
    return answer.json();
  };

  const family = await browser.newContext({ baseURL: baseURL! });
  const email = await createFrameOwner(family, baseURL!, {
    firstName: hostile('Rose'),
    lastName: hostile('Winter'),
    phone: hostile('5'),
    address: { ...anna.address, line1: hostile('Lane'), line2: hostile('Door'), city: hostile('Town') },
    gift: { recipientName: hostile('Maria'), from: hostile('Nana'), message: hostile('Joy') },
  });
  const limits = await call(family.request, 'get', '/api/frame-photo-limits');
  const deviceId = JSON.stringify(limits).match(/"deviceId":"([^"]+)"/)![1]!;
  const photo = {
    name: `${hostile('Kite')}.jpg`,
    mimeType: 'image/jpeg',
    buffer: readFileSync((await realPhotos())[0]!),
  };
  await call(family.request, 'post', '/api/upload', { multipart: { deviceId, image: photo } });
  const [upload] = await call(family.request, 'get', `/api/uploads?deviceId=${deviceId}`);
  await call(family.request, 'put', `/api/uploads/${upload.id}`, { data: { caption: hostile('Caption') } });
  const connection = { invitationCode: hostile('Code') };
  await call(family.request, 'put', `/api/devices/${deviceId}/connection`, { multipart: connection });
  const view = {
    pagePath: `/${hostile('Page')}`,
    referrer: `https://${hostile('Site')}`, // an invalid address, which is not stored
    userAgent: 'Mozilla/5.0 Safari/605',
  };
  expect((await family.request.post('/api/page-views', { data: view, headers: { origin: baseURL! } })).ok()).toBe(true);
  const lastDay = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  const link = await call(family.request, 'post', `/api/devices/${deviceId}/collect-link`, {
    data: { name: hostile('Party'), lastDay },
  });
  const cousin = await browser.newContext({ baseURL: baseURL! });
  const token = JSON.stringify(link).match(/\/collect\/([\w-]+)/)![1]!;
  await call(cousin.request, 'post', `/api/collect/${token}/contributors`, {
    data: { firstName: 'L<img src=x onerror=alert(1)>' },
  });
  await call(cousin.request, 'post', `/api/collect/${token}/photos`, { multipart: { image: photo } });
  await call(family.request, 'post', '/api/support-tickets', {
    data: {
      name: hostile('Asker'),
      email,
      phone: hostile('6'),
      subject: hostile('Subject'),
      message: hostile('Message'),
    },
  });

  await signInAsOwner(page);
  const shows = (word: string) => expect(page.getByText(hostile(word)).first()).toBeVisible();
  const openTab = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const search = async (words: string) => page.getByRole('searchbox').fill(words);

  await search(email);
  await shows('Rose');
  await page.getByRole('button', { name: /KF-/ }).first().click();
  for (const word of ['Winter', 'Lane', 'Door', 'Town', '5', 'Maria', 'Nana', 'Joy', 'Code']) await shows(word);
  await page
    .getByRole('region', { name: /^Order KF-/ })
    .getByRole('button', { name: 'Manage uploads' })
    .click();
  await shows('Kite');
  await page.getByRole('button', { name: 'View', exact: true }).first().click();
  await shows('Kite');
  await page.keyboard.press('Escape');

  await page.goto('/admin?tab=customers');
  await search(email);
  await shows('Rose');
  await page.getByRole('button', { name: /Rose/ }).first().click();
  await expect(page.getByRole('dialog').getByText(hostile('Winter')).first()).toBeVisible();

  await page.goto('/admin?tab=users');
  await search(email);
  await shows('Rose');

  await page.goto('/admin?tab=support');
  await page.getByRole('button', { name: hostile('Subject') }).click();
  for (const word of ['Asker', 'Message', '6']) await shows(word);

  await page.goto(`/admin?tab=production&view=frames&q=${email}`);
  for (const word of ['Rose', 'Code']) await shows(word);
  const { contributions } = await call(family.request, 'get', `/api/devices/${deviceId}/collect-link`);
  const ids = contributions[0].photos.map((it: { id: string }) => it.id);
  await call(family.request, 'post', `/api/devices/${deviceId}/accept-photos`, { data: { ids } });
  await call(family.request, 'post', '/api/uploads/finalize', { data: { deviceId } });
  await page.goto(`/admin?tab=production&q=${email}`);
  for (const word of ['Rose', 'Kite']) await shows(word);
  await openTab('Analytics');
  await shows('Page');
  await openTab('Gallery');
  await openTab('Content');

  await page.goto('/admin');
  await page.getByRole('button', { name: 'Find', exact: true }).click();
  await page.getByRole('combobox').fill(email);
  await shows('Subject');
  const { rows } = await (await page.request.get(`/api/admin/lists/orders?q=${email}`)).json();
  await page.goto(`/admin/gift-receipt/${rows[0].id}`);
  for (const word of ['Maria', 'Nana', 'Joy']) await shows(word);

  // Show each email like a mail program.
  await expect.poll(async () => (await mailsTo('support@kinframe.example')).length).toBeGreaterThan(1);
  const mails = [...(await mailsTo(email)), ...(await mailsTo('support@kinframe.example'))];
  expect(mails.some((mail) => mail.html?.includes('&lt;img src=x'))).toBe(true);
  const reader = await context.newPage();
  await reader.goto(`${origin()}/sandbox`);
  for (const { html, subject } of mails) {
    await reader.setContent(html!);
    expect(await reader.locator('img[src=x]').count(), subject).toBe(0);
  }
  expect(opened).toEqual([]);
});
