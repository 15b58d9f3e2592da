import { readFileSync } from 'node:fs';
import { makeMail, createMultipart } from '../inbound-mail.ts';
import { expect, expectAccessible, createTestPicture, signInAsOwner, test } from './fixtures.ts';

const secret = 'a-secret-of-the-mail-service';
test.use({ settings: { INBOUND_MAIL: 'support@kinframe.example', INBOUND_WEBHOOK_SECRET: secret } });

test('the owner sees a customer’s email with its attachments without a reload, and answers it @phone', async ({
  page,
}, { project }) => {
  const subject = `My frame stays dark ${project.name}`;
  const text = [
    'Hello, it worked for a week. Now the screen stays dark. Here is a photo.',
    '',
    'On Mon, Nov 30, 2026 at 9:12 AM Kinframe <hello@kinframe.example> wrote:',
    '> Did the videos arrive?',
  ].join('\n');
  const mail = makeMail({
    from: `Anna Keller <anna-${project.name}@example.com>`,
    subject,
    content: createMultipart(text, [
      {
        name: 'dark screen.jpg',
        type: 'image/jpeg',
        bytes: readFileSync(await createTestPicture('dark.jpg', '#202a33')),
      },
      { name: 'receipt.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4\n%%EOF\n') },
      { name: 'letter.docx', type: 'application/msword', bytes: Buffer.from('PK') },
    ]),
  });
  await signInAsOwner(page);
  await page.getByRole('tab', { name: 'Support Tickets', exact: true }).click();
  const webhookResponse = await page.request.post('/api/webhooks/mail', {
    headers: {
      authorization: `Basic ${Buffer.from(`mail:${secret}`).toString('base64')}`,
      'content-type': 'message/rfc822',
    },
    data: mail,
  });
  expect(await webhookResponse.json()).toEqual({ outcome: 'new-ticket' });
  const card = page.getByRole('article').filter({ hasText: subject });
  await expect(card).toContainText('New email'); // the open page updates without a reload
  await page.getByRole('button', { name: subject }).click();
  const dialog = page.getByRole('dialog', { name: subject });
  await expect(dialog.getByRole('listitem').first()).toContainText('Now the screen stays dark.');
  const picture = dialog.getByRole('img', { name: 'dark screen.jpg' });
  await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBeGreaterThan(0);
  await expect(dialog.getByRole('link', { name: 'receipt.pdf' })).toBeVisible();
  await expect(dialog.getByText('We didn’t keep: letter.docx')).toBeVisible();
  await expect(dialog.getByText('Did the videos arrive?')).toBeHidden();
  await dialog.getByText('Show quoted text').click();
  await expect(dialog.getByText('Did the videos arrive?')).toBeVisible();
  expect(await dialog.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0);
  await expectAccessible(page);
  await dialog.getByLabel('Your answer').fill('Please hold the button for ten seconds.');
  await dialog.getByLabel('Files for this answer').setInputFiles({
    name: 'plan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF\n'),
  });
  await expect(dialog.getByRole('link', { name: 'plan.pdf' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Saved replies...' }).click();
  const savedRepliesDialog = page.getByRole('dialog', { name: 'Saved replies' });
  await savedRepliesDialog.getByRole('button', { name: 'New reply' }).click();
  await savedRepliesDialog.getByLabel('Title').fill(`Sorry ${project.name}`);
  await savedRepliesDialog.getByLabel('Text').fill('We are sorry, {name}.');
  await savedRepliesDialog.getByRole('button', { name: 'Save reply' }).click();
  await expectAccessible(page);
  await savedRepliesDialog.getByRole('button', { name: `Insert Sorry ${project.name}` }).click();
  await expect(dialog.getByLabel('Your answer')).toHaveValue(
    'Please hold the button for ten seconds.\n\nWe are sorry, Anna Keller.',
  );
  await expect(dialog.getByLabel('Your answer')).toBeFocused();
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(dialog.getByRole('listitem').filter({ hasText: 'You answered by email' })).toContainText('plan.pdf');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(card).not.toContainText('New email');
});
