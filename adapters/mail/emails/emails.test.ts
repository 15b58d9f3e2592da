import { describe, expect, test } from 'vitest';
import { connectionGuide } from '#contract/connection-guide.ts';
import type { EmailContent, EmailKind } from '#contract/emails.ts';
import { contentIdOf } from '#shop/ports/mailer.ts';
import { publicFolder } from '#server/project-folder.ts';
import { createEmailRenderer } from './render-email.ts';
import { emailSamples, findSample, samplePosters } from './samples.ts';
import { formatCountryName, formatDayRange, formatGreeting, isHarmlessText, formatEmailAmount } from './email-text.ts';

const render = createEmailRenderer(publicFolder);
/** Renders an email and decodes the numeric HTML entities, so that tests can search for any character. */
const renderEmail: typeof render = async (...args) => {
  const email = await render(...args);
  const html = email.html.replaceAll(/&#(\d+);/g, (_, number) => String.fromCodePoint(Number(number)));
  return { ...email, html };
};

/** All strings and numbers of an email's content, with their property names. */
function listValuesIn(content: unknown, name = ''): [string, string | number][] {
  if (typeof content === 'string' || typeof content === 'number') return [[name, content]];
  if (Array.isArray(content)) return content.flatMap((item) => listValuesIn(item, name));
  if (content === null || typeof content !== 'object') return [];
  return Object.entries(content).flatMap(([name, value]) => listValuesIn(value, name));
}
const listLinksIn = (content: EmailContent) =>
  listValuesIn(content).flatMap(([name, value]) => (/url$/i.test(name) ? [String(value)] : []));
const escapeHtml = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** Copies an email's content and replaces every text that a person may have typed with `text`. */
function replaceTexts<T>(content: T, text: string, name = ''): T {
  if (typeof content === 'string') return (isShopProperty(name) || isDay(content) ? content : text) as T;
  if (Array.isArray(content)) return content.map((item: unknown) => replaceTexts(item, text, name)) as T;
  if (content === null || typeof content !== 'object') return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, replaceTexts(value, text, name)]),
  ) as T;
}
const isShopProperty = (name: string) => /^(kind|origin|timeZone|supportEmail)$|url$|At$|By$/i.test(name);

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

const listLongWords = (version: string) => new Set(version.match(/[\p{L}\p{N}]{4,}/gu));
const listTagsIn = (html: string) => new Set(html.match(/<\w+/g));
/** Returns the plain-text version of an email on one line. */
const renderTextOf = async (content: EmailContent) => (await renderEmail(content)).text.replaceAll(/\s+/g, ' ');

const everyKind: Record<EmailKind, true> = {
  receipt: true,
  'finish-registration': true,
  'addon-receipt': true,
  'photo-reminder': true,
  finalized: true,
  'proof-ready': true,
  'videos-ready': true,
  'video-again': true,
  'review-request': true,
  shipped: true,
  'address-changed': true,
  refund: true,
  'return-news': true,
  'payment-released': true,
  'gift-card': true,
  'gift-card-receipt': true,
  'owner-gift-card': true,
  'frames-back': true,
  'cart-reminder': true,
  'payment-link': true,
  'ticket-received': true,
  'ticket-answered': true,
  'password-reset': true,
  'email-confirmation': true,
  'sign-in-link': true,
  'email-change': true,
  'email-changed': true,
  'account-news': true,
  'credits-given': true,
  'staff-invitation': true,
  'owner-second-step': true,
  'owner-codes-locked': true,
  'new-sign-in': true,
  'owner-new-sign-in': true,
  'photos-erased-soon': true,
  'photos-erased': true,
  'order-canceled': true,
  'upload-link': true,
  'collect-link': true,
  'trial-film': true,
  'owner-sale': true,
  'owner-ticket': true,
  'owner-return': true,
  'owner-failed-job': true,
  'owner-dispute': true,
  'owner-fraud-warning': true,
  'owner-refund-failed': true,
  'owner-payment-mismatch': true,
  'owner-sweep-stopped': true,
  'owner-second-payment-refunded': true,
  'owner-day-sheet': true,
};

test('every kind of email has a sample', () => {
  expect(new Set(emailSamples.map(({ content }) => content.kind))).toEqual(new Set(Object.keys(everyKind)));
});

test('the email about a remade video calls a video without a title “your video”', async () => {
  const { content } = emailSamples.find((it) => it.content.kind === 'video-again')!;
  const { html, text } = await renderEmail({ ...content, title: '' } as typeof content);
  for (const version of [html, text]) expect(version).toContain('We made your video again');
});

describe.each(emailSamples)('$name', ({ content, posters = [] }) => {
  test('fills every placeholder and leaves no undefined value', async () => {
    const { subject, html, text } = await renderEmail(content);
    for (const version of [subject, html, text]) {
      expect(version.trim()).not.toBe('');
      expect(version).not.toMatch(/undefined|null|NaN|\[object|Invalid/);
      expect(version).not.toMatch(/\p{Extended_Pictographic}/u);
    }
    expect(subject.length).toBeLessThanOrEqual(78);
    expect(html).toContain(`<title>${escapeHtml(subject)}</title>`);
  });

  test('contains every link unchanged in the HTML and text parts, and no unknown link', async () => {
    const { html, text } = await renderEmail(content);
    expect(listLinksIn(content).length).toBeGreaterThan(0);
    for (const link of listLinksIn(content)) {
      expect(html).toContain(`href="${escapeHtml(link)}"`);
      expect(text.split(/\s/)).toContain(link);
    }
    const guide = new URL(connectionGuide.pdfPath, content.shop.baseUrl).href;
    const allowedLinks = new Set([...listLinksIn(content).map(escapeHtml), ...listAddressesIn(content), guide]);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(allowedLinks).toContain(href);
  });

  test('contains the same amounts in HTML and text', async () => {
    const { html, text } = await renderEmail(content);
    for (const [name, value] of listValuesIn(content)) {
      if (!name.endsWith('Cents') || name === 'discountCents') continue;
      expect(html).toContain(formatEmailAmount(Number(value)));
      expect(text).toContain(formatEmailAmount(Number(value)));
    }
  });

  test('has the same words in the text part as in the HTML part', async () => {
    const { html, text } = await renderEmail(content);
    const body = html.slice(html.indexOf('<h1'));
    const visibleTexts = body
      .replaceAll(/<!--.*?-->/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&#x27;|&quot;|&amp;/g, ' ');
    for (const word of listLongWords(visibleTexts)) expect(text).toContain(word);
    expect(text).not.toMatch(/[<>]\w|&\w+;/);
    for (const line of text.split('\n')) if (!line.includes('://')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('the HTML has only ASCII characters', async () => {
    const { html } = await render(content);
    expect(html).toMatch(/^[\n -~]*$/);
  });

  test('loads nothing from the network and fits a phone', async () => {
    const { html, pictures } = await renderEmail(content, samplePosters(publicFolder, { posters }));
    expect(html).not.toMatch(/<script|<link|<iframe|srcset|url\(|@import|@font-face/i);
    // All pictures are embedded. Each is shown once and has alternative text.
    const shownPictures = [...html.matchAll(/src="([^"]*)"/g)].map(([, address]) => address);
    expect(shownPictures).toEqual(pictures.map((it) => `cid:${contentIdOf(it)}`));
    expect(new Set(shownPictures).size).toBe(shownPictures.length);
    for (const { name, alt } of pictures) expect(alt, name).toMatch(name === 'mark.png' ? /^$/ : /\w/);
    expect(html).toContain('name="viewport"');
    expect(html).toContain('lang="en"');
    // Mail programs cut HTML longer than 102 KB.
    expect(Buffer.byteLength(html)).toBeLessThan(40_000);
  });

  test('has a preview text different from the subject and at most one button', async () => {
    const { subject, html } = await renderEmail(content);
    const preview = /<div[^>]*data-skip-in-text="true"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
    expect(preview.length).toBeGreaterThan(20);
    expect(preview).not.toBe(subject);
    expect(html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test('escapes HTML and removes control characters in text that a person typed', async () => {
    const plainEmail = await renderEmail(content);
    const hostileTexts = [
      '<script>alert("x")</script>',
      '"><img src=x onerror=alert(1)>',
      `'; </style></title><b onclick='x'>`,
      'Anna\r\nBcc: everyone@example.com\r\n\r\n<b>',
      '<!--[if mso]><![endif]-->\u0000\u202egnp.exe\u2066',
    ];
    for (const hostileText of hostileTexts) {
      const { subject, html, text } = await renderEmail(replaceTexts(content, hostileText));
      expect([...listTagsIn(html)].filter((tag) => !listTagsIn(plainEmail.html).has(tag))).toEqual([]);
      expect(html.match(/<\/?(?:script|style|title|b)\b/g)?.length).toBe(4);
      expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/);
      // oxlint-disable-next-line no-control-regex -- the pattern must find control characters
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
      expect(subject.length).toBeLessThanOrEqual(150);
      // oxlint-disable-next-line no-control-regex -- the pattern must find control characters
      expect(html + text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test('shortens the subject when a text is very long, and renders the whole HTML', async () => {
    const { subject, html } = await renderEmail(replaceTexts(content, `${'Wolfeschlegelstein\n'.repeat(2000)}end`));
    expect(subject.length).toBeLessThanOrEqual(150);
    expect(html).toMatch(/<\/html>$/);
  });
});

function listAddressesIn(content: EmailContent): string[] {
  return listValuesIn(content).flatMap(([name, value]) => (name.endsWith('Email') ? [`mailto:${value}`] : []));
}

describe('the content of emails', () => {
  test('shows the product, or pictures from the customer’s videos if there are any; account emails show only the logo', async () => {
    const renderTextWithPosters = async (content: EmailContent, posters: string[] = []) =>
      (await renderEmail(content, samplePosters(publicFolder, { posters }))).pictures.map((it) => it.name);
    const receipt = findSample('receipt');
    expect(await renderTextWithPosters(receipt)).toEqual(['mark.png', 'frame.jpg']);
    expect(await renderTextWithPosters({ ...receipt, shippingAddress: undefined })).toEqual([
      'mark.png',
      'service.jpg',
    ]);
    expect(await renderTextWithPosters({ ...receipt, gift: { recipientName: 'Maria' } })).toEqual([
      'mark.png',
      'gift.jpg',
    ]);
    const review = findSample('review-request');
    expect(await renderTextWithPosters({ ...review, recipientName: undefined })).toEqual(['mark.png', 'frame.jpg']);
    expect(await renderTextWithPosters({ ...review, isService: true })).toEqual(['mark.png', 'service.jpg']);
    expect(await renderTextWithPosters({ ...review, recipientName: 'Maria' })).toEqual(['mark.png', 'gift.jpg']);
    expect(await renderTextWithPosters(findSample('videos-ready'), ['cat', 'kite'])).toEqual([
      'mark.png',
      'poster-1.jpg',
      'poster-2.jpg',
    ]);
    expect(await renderTextWithPosters(findSample('videos-ready'))).toEqual(['mark.png']);
    expect(await renderTextWithPosters(findSample('password-reset'))).toEqual(['mark.png']);
    expect(await renderTextWithPosters(findSample('owner-sale'))).toEqual([]);
  });

  test('reads a picture from disk only once for all emails', async () => {
    const [first, second] = [await renderEmail(findSample('receipt')), await renderEmail(findSample('receipt'))];
    expect(second.pictures[1]!.bytes).toBe(first.pictures[1]!.bytes);
    // The logo and the picture together are small, although base64 makes them a third larger.
    const bytes = first.pictures.reduce((sum, it) => sum + it.bytes.length, 0);
    expect(bytes).toBeLessThan(75_000);
  });

  test('a receipt links to the registration while there is no account, and to the upload afterwards', async () => {
    const uploadUrl = 'https://kinframe.example/upload';
    const receipt = { ...findSample('receipt'), uploadUrl };
    const receiptBeforeRegistration = await renderEmail(receipt);
    expect(receiptBeforeRegistration.text).toContain(`Finish your registration:\n${receipt.finishRegistrationUrl}`);
    expect(receiptBeforeRegistration.text).not.toContain(uploadUrl); // the customer must register first
    const receiptOfFinishedRegistration = await renderEmail({ ...receipt, finishRegistrationUrl: undefined });
    expect(receiptOfFinishedRegistration.text).toContain(`Upload your photos:\n${uploadUrl}`);
    expect(receiptOfFinishedRegistration.text).not.toContain('egistration');
  });

  test('a receipt shows items, discount, shipping and tax in separate rows that add up to the total', async () => {
    const { text } = await renderEmail(findSample('receipt'));
    const rows = text.split('\n').map((line) => line.split(/\s{2,}/));
    expect(rows).toEqual(
      expect.arrayContaining([
        ['Kinframe Digital Picture Frame × 2', '$398.00'],
        ['Subtotal', '$427.97'],
        ['Discount (THANKFUL10)', '−$42.80'],
        ['Shipping', 'Free'],
        ['Tax (Maine, 5.5%)', '$21.18'],
        ['Total', '$406.35'],
      ]),
    );
    const { text: plain } = await renderEmail({
      ...findSample('receipt'),
      discountCents: 0,
      shippingAddress: undefined,
    });
    expect(plain).not.toMatch(/Discount|Shipping/);
  });

  test('shows an order of a New York evening with its local date, not the UTC date', async () => {
    const text = await renderTextOf({ ...findSample('receipt'), orderedAt: '2026-12-25T01:00:00Z' });
    expect(text).toContain('Ordered December 24, 2026 at 8:00 PM EST');
  });

  test('a receipt’s delivery estimate names its condition, and is left out if unknown', async () => {
    const receipt = findSample('receipt');
    expect(await renderTextOf(receipt)).toContain(
      'If you finish your photos today, we expect your order to arrive between Wednesday, December 2 and Friday, December 4.',
    );
    expect(await renderTextOf({ ...receipt, estimatedDelivery: undefined })).not.toContain('arrive');
  });

  test('the receipt for a gift names the recipient, the message and the shipping day', async () => {
    const gift = { recipientName: 'Maria', from: 'Rose', message: 'Happy birthday!', shipOn: '2026-12-20' };
    const text = await renderTextOf({ ...findSample('receipt'), gift });
    for (const expected of ['A gift for Maria', 'ship your gift on Sunday, December 20', 'signed Rose', gift.message])
      expect(text).toContain(expected);
    expect(text).toContain('If you finish your photos today, we expect');
    const { from, to } = findSample('receipt').estimatedDelivery!;
    const estimatedDelivery = { from, to, finishBy: '2026-12-15' };
    expect(await renderTextOf({ ...findSample('receipt'), gift, estimatedDelivery })).toContain(
      'If you finish your photos by Tuesday, December 15, we expect',
    );
    const ownerText = await renderTextOf({ ...findSample('owner-sale'), gift });
    expect(ownerText).toMatch(/A gift for:?\s+Maria/);
    expect(ownerText).toMatch(/Not before:?\s+Sunday, December 20/);
  });

  test('the shipping email for a gift names the recipient and does not ask the giver to set up the frame', async () => {
    const gift = { recipientName: 'Maria', from: 'Rose', message: 'Happy birthday!', shipOn: '2026-12-20' };
    const content = { ...findSample('shipped'), gift };
    expect((await renderEmail(content)).subject).toContain('Your gift for Maria is on its way');
    const text = await renderTextOf(content);
    expect(text).toContain('ask them for the code it shows');
    expect(text).not.toContain('plug the frame in and connect it to your Wi-Fi');
  });

  test('the receipt mentions customs duties only for an address in Canada', async () => {
    const receipt = findSample('receipt');
    const address = { ...receipt.shippingAddress!, country: 'CA' };
    expect((await renderEmail({ ...receipt, shippingAddress: address })).text).toContain('duties');
    expect((await renderEmail(receipt)).text).not.toContain('duties');
  });

  test('only the reminder of the seventh day says it is the last', async () => {
    const reminder = findSample('photo-reminder');
    for (const daysOpen of [1, 3]) expect((await renderEmail({ ...reminder, daysOpen })).text).not.toContain('last');
    expect((await renderEmail({ ...reminder, daysOpen: 7 })).text).toContain('This is our last reminder.');
  });

  test('emails state the actual limits and periods', async () => {
    expect(await renderTextOf(findSample('password-reset'))).toContain('works once, for 1 hour');
    expect(await renderTextOf(findSample('email-confirmation'))).toContain('works for 7 days');
    const textAfterBuying = await renderTextOf({ ...findSample('email-confirmation'), orderNumber: 'KF-7Q2M-4XPA' });
    expect(textAfterBuying).toContain('Order KF-7Q2M-4XPA is already in your account');
    expect(textAfterBuying).not.toContain('Your orders and photos will then appear');
    expect(await renderTextOf(findSample('upload-link'))).toContain('works until November 27, 2026 at 2:39 PM EST');
    expect(await renderTextOf(findSample('videos-ready'))).toMatch(
      /The page stays open until February 21, 2027 at 12:00 PM EST\. Then we delete your photos and videos/,
    );
    expect(await renderTextOf(findSample('finalized'))).toContain('24 to 72 hours');
  });

  test('the shipping email links to the printable connection guide', async () => {
    expect(await renderTextOf(findSample('shipped'))).toContain(
      'https://kinframe.example/guides/connect-your-frame.pdf',
    );
  });

  test('leaves out an invalid tracking URL and links to the order instead', async () => {
    const shippedContent = findSample('shipped');
    for (const url of ['www.ups.com/track', 'javascript:alert(1)', '']) {
      const { html, text } = await renderEmail({ ...shippedContent, tracking: { ...shippedContent.tracking!, url } });
      expect(html).not.toContain('javascript:');
      expect(text).toContain(`See your order:\n${shippedContent.orderUrl}`);
      expect(text).toContain(shippedContent.tracking!.number);
    }
  });

  test('keeps the line breaks of text that a person wrote', async () => {
    const answer = 'First.\r\n\r\n  Second & <third>\nFourth';
    const { text, html } = await renderEmail({ ...findSample('ticket-answered'), answer });
    expect(text).toMatch(/> First\.\n> ?\n> Second & <third>\n> Fourth/);
    expect(html).toContain('Second &amp; &lt;third&gt;<br/>Fourth');
  });

  test('leaves out a stranger’s text if it contains a link', async () => {
    const advertisement = 'You won! https://evil.example/prize';
    const receivedEmail = { ...findSample('ticket-received'), name: advertisement, subject: advertisement };
    const confirmation = { ...findSample('email-confirmation'), firstName: 'Win at evil.example' };
    for (const content of [receivedEmail, confirmation]) {
      const { subject, html, text } = await renderEmail(content);
      expect(subject + html + text).not.toContain('evil');
      expect(text).toContain('Hello,');
    }
  });

  test('refuses invalid amounts, dates and links', async () => {
    const receipt = findSample('receipt');
    await expect(renderEmail({ ...receipt, totalCents: Number.NaN })).rejects.toThrow('not an amount');
    await expect(renderEmail({ ...receipt, totalCents: 10.5 })).rejects.toThrow('not an amount');
    await expect(renderEmail({ ...receipt, orderedAt: 'yesterday' })).rejects.toThrow(RangeError);
    await expect(renderEmail({ ...receipt, uploadUrl: '/upload' })).rejects.toThrow('uploadUrl is no web address');
    await expect(renderEmail({ ...receipt, orderUrl: 'javascript:alert(1)' })).rejects.toThrow('orderUrl');
    await expect(renderEmail({ ...findSample('finalized'), photoCount: Number.NaN })).rejects.toThrow('not a number');
  });

  test('renders null from the database like a missing value', async () => {
    const { text } = await renderEmail({ ...findSample('refund'), reason: null as never, orderUrl: null as never });
    expect(text).not.toContain('null');
  });

  test('renders an email identically when its content is the same', async () => {
    const receipt = findSample('receipt');
    expect(await renderEmail(receipt)).toEqual(await renderEmail(structuredClone(receipt)));
  });
});

describe('formatting in emails', () => {
  test.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [19_900, '$199.00'],
    [119_900, '$1,199.00'],
    [-1000, '−$10.00'],
  ])('formats %d cents as %s', (cents, words) => {
    expect(formatEmailAmount(cents)).toBe(words);
  });

  test('formats a range of days, and a range of one day as that day', () => {
    expect(formatDayRange({ from: '2026-12-31', to: '2027-01-04' })).toBe(
      'between Thursday, December 31 and Monday, January 4',
    );
    expect(formatDayRange({ from: '2026-12-31', to: '2026-12-31' })).toBe('on Thursday, December 31');
    expect(formatDayRange({ from: '2026-12-31T23:59:59.999Z', to: '2026-12-31' })).toBe('on Thursday, December 31');
  });

  test('returns country names, and an unknown code unchanged', () => {
    expect(['US', 'CA', 'USA', '', 'Atlantis'].map(formatCountryName)).toEqual([
      'United States',
      'Canada',
      'USA',
      '',
      'Atlantis',
    ]);
  });

  test.each(['Anna', 'J.R. Smith', "Zoë O'Neil-Østergård", '毛利 小五郎', 'Dr. St. Clair', 'Anna 2'])(
    'greets %s by name',
    (name) => {
      expect(formatGreeting(name)).toBe(`Hello ${name},`);
    },
  );

  test.each([
    '',
    undefined,
    'Win at evil.example',
    'http://x.y',
    'call 0800 123 4567',
    'a@b.co',
    'x'.repeat(41),
    'evil.example/now',
    'C:\\evil',
    'ｅｖｉｌ．ｅｘａｍｐｌｅ',
    'evil。example',
  ])('does not greet %s by name', (name) => {
    expect(formatGreeting(name)).toBe('Hello,');
    expect(isHarmlessText(name ?? '/', 40)).toBe(name === '');
  });
});
