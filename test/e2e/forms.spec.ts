import type { Page } from '@playwright/test';
import { refusals } from '../../contract/refusals.ts';
import { waitForHydration, expect, expectAccessible, waitForEmailedLink, readMailsTo, test } from './fixtures.ts';

const formValues = {
  Name: 'Rose Winter',
  Subject: 'A frame for my mother',
  Message: 'Can it stand upright, and does it need an app?',
};
async function sendQuestion(page: Page, email: string, values: Record<string, string> = formValues) {
  for (const [label, value] of Object.entries({ ...values, Email: email })) await page.getByLabel(label).fill(value);
}
const findToast = (page: Page, words: string) =>
  page.getByRole('status').or(page.getByRole('region')).getByText(words, { exact: true }).first();
const ownerEmail = 'support@kinframe.example';

for (const [path, button] of [
  ['/contact', 'Send message'],
  ['/support', 'Submit request'],
] as const)
  test(`${path} shows every error, keeps the typed text and focuses the first invalid field @phone`, async ({
    page,
  }) => {
    await page.goto(path);
    await page.getByLabel('Name').fill('R');
    await page.getByLabel('Email').fill('rose@nowhere');
    await page.getByLabel('Subject').fill('Hi');
    await page.getByLabel('Message').fill('Too short');
    await page.getByRole('button', { name: button }).click();
    for (const text of [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Subject must be at least 5 characters',
      'Message must be at least 10 characters',
    ])
      await expect(page.getByText(text, { exact: true })).toBeVisible();
    await expect(page.getByLabel('Name')).toBeFocused();
    await expect(page.getByLabel('Message')).toHaveValue('Too short');
    await expect(page.getByLabel('Message')).toHaveAccessibleDescription('Message must be at least 10 characters');
    await expectAccessible(page);
    await page.getByLabel('Message').fill('x'.repeat(5001));
    await expect(page.getByText('Please use at most 5000 characters')).toBeVisible();
  });

test('a notification covers no field or button in use while a phone’s keyboard is open @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/ERR_FAILED/);
  // A phone's keyboard makes the visual viewport smaller, but not the page.
  await page.addInitScript(() => {
    const fakeVisualViewport = { height: innerHeight };
    Object.defineProperty(visualViewport!, 'height', { get: () => fakeVisualViewport.height });
    Object.assign(window, {
      leave(height: number) {
        fakeVisualViewport.height = height;
        visualViewport!.dispatchEvent(new Event('resize'));
      },
    });
  });
  const reduceViewport = (height: number) =>
    page.evaluate((it) => (window as unknown as { leave(height: number): void }).leave(it), height);
  await page.route('**/api/support-tickets', (route) => route.abort());
  await page.goto('/contact');
  await sendQuestion(page, 'keyboard@example.com');
  const sendButton = page.getByRole('button', { name: 'Send message' });
  await sendButton.click();
  const shownElement = page.getByText('Something went wrong. Please try again or email us directly.').first();
  await expect(shownElement).toBeVisible();
  const toastBoxNow = async () =>
    (await page.locator('ol li').filter({ hasText: 'Something went wrong' }).first().boundingBox())!;
  const messageField = page.getByLabel('Message');
  await messageField.focus();
  await messageField.evaluate((it) => it.scrollIntoView({ block: 'start' }));
  await page.evaluate(() => scrollBy(0, -220));
  await reduceViewport(420);
  await expect.poll(async () => (await toastBoxNow()).y + (await toastBoxNow()).height).toBeLessThanOrEqual(420);
  const messageFieldBox = (await messageField.boundingBox())!;
  const toastBox = await toastBoxNow();
  expect(toastBox.y).toBeGreaterThanOrEqual(0);
  expect(
    toastBox.y + toastBox.height <= messageFieldBox.y || toastBox.y >= messageFieldBox.y + messageFieldBox.height,
  ).toBe(true);
});

test('a notification that moved aside returns to its place on the next page if nothing there is in use @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 401/);
  await page.goto('/auth');
  await waitForHydration(page);
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill('nobody@example.com');
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill('Sunflower-Field-7');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  const shownElement = page.locator('ol li').filter({ hasText: 'Login Failed' });
  await expect(shownElement).toBeVisible();
  const readBottom = async () => (await shownElement.boundingBox())!.y + (await shownElement.boundingBox())!.height;
  const footTop = page.viewportSize()!.height - 40;
  const forgotPasswordLink = page.getByRole('link', { name: /forgot/i });
  await forgotPasswordLink.evaluate((it) => it.scrollIntoView({ block: 'end', behavior: 'instant' }));
  await forgotPasswordLink.focus();
  await expect.poll(readBottom).toBeLessThan(footTop);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Send reset link' })).toBeVisible();
  await expect(shownElement).toBeVisible();
  await expect.poll(readBottom, { timeout: 2000 }).toBeGreaterThan(footTop);
});

test('a notification on a newly opened page covers no fields or buttons if there is other space @phone', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of 401/);
  await page.goto('/upload');
  await page.waitForURL(/\/auth/);
  const shownElement = page.locator('ol li').filter({ hasText: 'Authentication Required' });
  await expect(shownElement).toBeVisible();
  const isCovered = await shownElement.evaluate((it) => {
    const { top, bottom, left } = it.parentElement!.getBoundingClientRect(); // the list itself does not slide in
    const visibleControls = [...document.querySelectorAll('main :is(input, a, button)')].filter((it) =>
      it.checkVisibility(),
    );
    const isCovered = (box: DOMRect) => box.bottom > top && box.top < bottom && box.right > left;
    return visibleControls.filter((it) => isCovered(it.getBoundingClientRect())).map((it) => it.outerHTML.slice(0, 80));
  });
  expect(isCovered).toEqual([]);
});

test('the contact form says Sending... for about a second, says thanks, and is empty again', async ({ page }) => {
  await page.clock.install();
  await page.goto('/contact');
  await sendQuestion(page, 'contact@example.com');
  await page.clock.pauseAt(Date.now() + 60_000);
  const answeredResponsePromise = page.waitForResponse('**/api/support-tickets');
  await page.getByRole('button', { name: 'Send message' }).click();
  expect((await answeredResponsePromise).status()).toBe(200);
  await page.clock.runFor(900);
  await expect(page.getByRole('button', { name: 'Sending...' })).toBeVisible();
  await page.clock.runFor(200);
  await page.clock.resume();
  await expect(findToast(page, 'Message sent!')).toBeVisible();
  await expect(
    page.getByText("Thank you for contacting us. We'll get back to you within 24 hours.").first(),
  ).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send message' })).toBeEnabled();
  for (const label of ['Name', 'Email', 'Subject', 'Message']) await expect(page.getByLabel(label)).toHaveValue('');
  expect(await waitForEmailedLink('contact@example.com', /T-[\w-]+/)).toMatch(/^T-/);
  await expect(page.getByRole('link', { name: 'frequently asked questions' })).toHaveAttribute('href', '/faq');
});

test('a contact message that could not be sent shows an error and keeps the text', async ({ page, expectProblem }) => {
  expectProblem(/status of 503/);
  await page.route('**/api/support-tickets', (route) => route.fulfill({ status: 503, body: 'down' }));
  await page.goto('/contact');
  await sendQuestion(page, 'contact@example.com');
  await page.getByRole('button', { name: 'Send message' }).click();
  await expect(findToast(page, 'Error')).toBeVisible();
  await expect(findToast(page, 'Something went wrong. Please try again or email us directly.')).toBeVisible();
  await expect(page.getByLabel('Message')).toHaveValue(formValues.Message);
});

test('a support request gets a ticket number on the page and by email', async ({ page }) => {
  const email = 'support@example.com';
  await page.goto('/support');
  await expect(
    page.getByText('Message and data rates may apply. You can opt out at any time by replying STOP.'),
  ).toBeVisible();
  await sendQuestion(page, email);
  await page.getByLabel('Phone').fill('503 555 0100');
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Submit request' }).click();
  await expect(page.getByRole('heading', { name: 'Support Request Received' })).toBeFocused();
  await expect(findToast(page, 'Support request submitted!')).toBeVisible();
  await expect(findToast(page, "We've sent a confirmation email with your ticket number.")).toBeVisible();
  const ticketNumber = await page.getByText(/^T-[2-9A-Z]{4}-[2-9A-Z]{4}$/).innerText();
  await expectAccessible(page);
  expect(await waitForEmailedLink(email, /T-[\w-]+/)).toBe(ticketNumber);
  await expect(page.getByRole('main').getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
  await expect(page.getByRole('main').getByRole('link', { name: 'frequently asked questions' })).toHaveAttribute(
    'href',
    '/faq',
  );
  await page.getByRole('button', { name: 'Submit Another Request' }).click();
  await expect(page.getByLabel('Message')).toHaveValue('');
});

test('a refused support request shows the shop’s message, or a default message if there is none', async ({
  page,
  expectProblem,
}) => {
  expectProblem(/status of (429|502)/);
  let answer: { status: number; body?: string; json?: unknown } = { status: 502, body: '<html>Bad gateway</html>' };
  let releaseSubmit = () => {};
  await page.route('**/api/support-tickets', async (route) => {
    await new Promise<void>((resolve) => (releaseSubmit = resolve));
    await route.fulfill(answer);
  });
  await page.goto('/support');
  await sendQuestion(page, 'support@example.com');
  const expectProblemText = async (words: string) => {
    await page.getByRole('button', { name: 'Submit request' }).click();
    await expect(page.getByRole('button', { name: 'Submitting...' })).toBeVisible();
    releaseSubmit();
    await expect(findToast(page, 'Error')).toBeVisible();
    await expect(findToast(page, words)).toBeVisible();
    await expect(page.getByLabel('Message')).toHaveValue(formValues.Message);
  };
  await expectProblemText('Failed to submit support request. Please try again.');
  const { words } = refusals['too-many-requests'];
  answer = { status: 429, json: { success: false, message: words, error: words, code: 'too-many-requests' } };
  await expectProblemText(words);
});

test('a bot that fills in the hidden field is refused, and no email is sent', async ({ page, expectProblem }) => {
  expectProblem(/status of 400/);
  await page.goto('/contact');
  const honeypotInput = page.locator('input[name=_honeypot]');
  await expect(honeypotInput).not.toBeInViewport();
  await expect(honeypotInput).toHaveAttribute('tabindex', '-1');
  await sendQuestion(page, 'robot@example.com');
  await honeypotInput.fill('https://spam.example', { force: true });
  const responsePromise = page.waitForResponse('**/api/support-tickets');
  await page.getByRole('button', { name: 'Send message' }).click();
  expect((await responsePromise).status()).toBe(400);
  await expect(findToast(page, 'Something went wrong. Please try again or email us directly.')).toBeVisible();

  await page.goto('/support');
  await sendQuestion(page, 'person@example.com');
  await page.getByRole('button', { name: 'Submit request' }).click();
  await waitForEmailedLink('person@example.com', /T-[\w-]+/); // sent after the robot's email would have been
  expect(await readMailsTo('robot@example.com')).toEqual([]);
});

test('typed markup, emoji, right-to-left text and line breaks stay plain text', async ({ page, request, baseURL }) => {
  const name = 'Анна <b>O’Neil</b> 👵🏽';
  const subject = '<img src=x onerror=alert(1)> שלום';
  const message = 'First line\nSecond <script>alert(1)</script>\n\u202Eright to left\u202C مرحبا 🎞️';
  await page.goto('/support');
  await sendQuestion(page, 'markup@example.com', { Name: name, Subject: subject, Message: message });
  await page.getByRole('button', { name: 'Submit request' }).click();
  await expect(page.getByRole('heading', { name: 'Support Request Received' })).toBeVisible();
  const ticketNumber = await waitForEmailedLink('markup@example.com', /T-[\w-]+/);
  const mail = (await readMailsTo(ownerEmail)).find((it) => it.text?.includes(ticketNumber));
  expect(mail?.text).toContain(subject);
  expect(mail?.text).toContain('Second <script>alert(1)</script>');
  expect(mail?.text).toContain('👵🏽');
  expect(mail?.html).not.toMatch(/<(img src=x|script|b>)/i);
  expect(mail?.html).toContain('&lt;script&gt;');

  // A line break in a subject must not start another header.
  const response = await request.post('/api/support-tickets', {
    headers: { origin: baseURL! },
    data: { name: 'Ben', email: 'crlf@example.com', subject: 'Hello\r\nBcc: all@example.com', message: 'Ten letters.' },
  });
  expect(response.ok()).toBe(true);
  await waitForEmailedLink('crlf@example.com', /T-[\w-]+/);
  expect(await readMailsTo('all@example.com')).toEqual([]);
  for (const sentMail of [...(await readMailsTo('crlf@example.com')), ...(await readMailsTo(ownerEmail))])
    expect(sentMail.bcc ?? []).toEqual([]);
});
