import { describe, expect, test } from 'vitest';
import { connectionGuide } from '#contract/connection-guide.ts';
import type { LetterContent, LetterKind } from '#contract/letters.ts';
import { contentIdOf } from '#shop/ports/mailer.ts';
import { publicFolder } from '#server/project-folder.ts';
import { letterRenderer } from './render-letter.ts';
import { letterSamples, sampleOf, samplePosters } from './samples.ts';
import { country, dayRange, greeting, isHarmless, money } from './words.ts';

const render = letterRenderer(publicFolder);
/** As it is read: what HTML numbers is a letter again. */
const renderLetter: typeof render = async (...asked) => {
  const letter = await render(...asked);
  const html = letter.html.replaceAll(/&#(\d+);/g, (_, number) => String.fromCodePoint(Number(number)));
  return { ...letter, html };
};

/** Every string and number of a letter, with the name it stands under. */
function values(content: unknown, name = ''): [string, string | number][] {
  if (typeof content === 'string' || typeof content === 'number') return [[name, content]];
  if (Array.isArray(content)) return content.flatMap((item) => values(item, name));
  if (content === null || typeof content !== 'object') return [];
  return Object.entries(content).flatMap(([name, value]) => values(value, name));
}
const links = (letter: LetterContent) =>
  values(letter).flatMap(([name, value]) => (/url$/i.test(name) ? [String(value)] : []));
const escaped = (text: string) =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#x27;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');

/** The same letter with every text that a person may have typed replaced. */
function typed<T>(content: T, text: string, name = ''): T {
  if (typeof content === 'string') return (isOurs(name) || isDay(content) ? content : text) as T;
  if (Array.isArray(content)) return content.map((item: unknown) => typed(item, text, name)) as T;
  if (content === null || typeof content !== 'object') return content;
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, typed(value, text, name)])) as T;
}
const isOurs = (name: string) => /^(kind|origin|timeZone|supportEmail)$|url$|At$|By$/i.test(name);

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text);

const longWords = (version: string) => new Set(version.match(/[\p{L}\p{N}]{4,}/gu));
const tags = (html: string) => new Set(html.match(/<\w+/g));
/** The text version on one line. */
const textOf = async (letter: LetterContent) => (await renderLetter(letter)).text.replaceAll(/\s+/g, ' ');

const everyKind: Record<LetterKind, true> = {
  receipt: true,
  'addon-receipt': true,
  'photo-reminder': true,
  finalized: true,
  'proof-ready': true,
  'videos-ready': true,
  'video-again': true,
  'review-request': true,
  shipped: true,
  refund: true,
  'ticket-received': true,
  'ticket-answered': true,
  'password-reset': true,
  'email-confirmation': true,
  'sign-in-link': true,
  'email-change': true,
  'email-changed': true,
  'account-news': true,
  'credits-given': true,
  'owner-second-step': true,
  'photos-erased-soon': true,
  'photos-erased': true,
  'upload-link': true,
  'collect-link': true,
  'owner-sale': true,
  'owner-ticket': true,
  'owner-failed-job': true,
  'owner-dispute': true,
  'owner-fraud-warning': true,
  'owner-refund-failed': true,
  'owner-payment-mismatch': true,
  'owner-sweep-stopped': true,
  'owner-second-payment-refunded': true,
  'owner-day-sheet': true,
};

test('every kind of letter has a sample', () => {
  expect(new Set(letterSamples.map(({ letter }) => letter.kind))).toEqual(new Set(Object.keys(everyKind)));
});

describe.each(letterSamples)('$name', ({ letter, posters = [] }) => {
  test('says everything it was given, and nothing it was not', async () => {
    const { subject, html, text } = await renderLetter(letter);
    for (const version of [subject, html, text]) {
      expect(version.trim()).not.toBe('');
      expect(version).not.toMatch(/undefined|null|NaN|\[object|Invalid/);
      expect(version).not.toMatch(/\p{Extended_Pictographic}/u);
    }
    expect(subject.length).toBeLessThanOrEqual(78);
    expect(html).toContain(`<title>${escaped(subject)}</title>`);
  });

  test('holds every link exactly, in both versions', async () => {
    const { html, text } = await renderLetter(letter);
    expect(links(letter).length).toBeGreaterThan(0);
    for (const link of links(letter)) {
      expect(html).toContain(`href="${escaped(link)}"`);
      expect(text.split(/\s/)).toContain(link);
    }
    const guide = new URL(connectionGuide.pdfPath, letter.shop.baseUrl).href;
    const allowed = new Set([...links(letter).map(escaped), ...addresses(letter), guide]);
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(allowed).toContain(href);
  });

  test('holds the same amounts in both versions', async () => {
    const { html, text } = await renderLetter(letter);
    for (const [name, value] of values(letter)) {
      if (!name.endsWith('Cents') || name === 'discountCents') continue;
      expect(html).toContain(money(Number(value)));
      expect(text).toContain(money(Number(value)));
    }
  });

  test('says in text what it says in HTML', async () => {
    const { html, text } = await renderLetter(letter);
    const body = html.slice(html.indexOf('<h1'));
    const seen = body
      .replaceAll(/<!--.*?-->/g, '')
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/&#x27;|&quot;|&amp;/g, ' ');
    for (const word of longWords(seen)) expect(text).toContain(word);
    expect(text).not.toMatch(/[<>]\w|&\w+;/);
    for (const line of text.split('\n')) if (!line.includes('://')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('its page is plain letters in lines that mail carries as they stand', async () => {
    const { html } = await render(letter);
    expect(html).toMatch(/^[\n -~]*$/);
  });

  test('loads nothing from anywhere and fits a phone', async () => {
    const { html, pictures } = await renderLetter(letter, samplePosters(publicFolder, { posters }));
    expect(html).not.toMatch(/<script|<link|<iframe|srcset|url\(|@import|@font-face/i);
    // Its pictures come with it, each shown once, with words for who does not see it.
    const shown = [...html.matchAll(/src="([^"]*)"/g)].map(([, address]) => address);
    expect(shown).toEqual(pictures.map((it) => `cid:${contentIdOf(it)}`));
    expect(new Set(shown).size).toBe(shown.length);
    for (const { name, alt } of pictures) expect(alt, name).toMatch(name === 'mark.png' ? /^$/ : /\w/);
    expect(html).toContain('name="viewport"');
    expect(html).toContain('lang="en"');
    // Clients cut what is longer than 102 KB.
    expect(Buffer.byteLength(html)).toBeLessThan(40_000);
  });

  test('has a preview of its own and at most one button', async () => {
    const { subject, html } = await renderLetter(letter);
    const preview = /<div[^>]*data-skip-in-text="true"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
    expect(preview.length).toBeGreaterThan(20);
    expect(preview).not.toBe(subject);
    expect(html.match(/class="button"/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  test('keeps hostile text harmless', async () => {
    const plain = await renderLetter(letter);
    const forgeries = [
      '<script>alert("x")</script>',
      '"><img src=x onerror=alert(1)>',
      `'; </style></title><b onclick='x'>`,
      'Anna\r\nBcc: everyone@example.com\r\n\r\n<b>',
      '<!--[if mso]><![endif]-->\u0000\u202egnp.exe\u2066',
    ];
    for (const forgery of forgeries) {
      const { subject, html, text } = await renderLetter(typed(letter, forgery));
      expect([...tags(html)].filter((tag) => !tags(plain.html).has(tag))).toEqual([]);
      expect(html.match(/<\/?(?:script|style|title|b)\b/g)?.length).toBe(4);
      expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=/);
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
      expect(subject.length).toBeLessThanOrEqual(150);
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      expect(html + text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/);
    }
  });

  test('survives very long text', async () => {
    const { subject, html } = await renderLetter(typed(letter, `${'Wolfeschlegelstein\n'.repeat(2000)}end`));
    expect(subject.length).toBeLessThanOrEqual(150);
    expect(html).toMatch(/<\/html>$/);
  });
});

function addresses(letter: LetterContent): string[] {
  return values(letter).flatMap(([name, value]) => (name.endsWith('Email') ? [`mailto:${value}`] : []));
}

describe('what letters promise', () => {
  test('what was bought is seen, and their own videos where they are ready; a key to the account shows nothing', async () => {
    const shown = async (letter: LetterContent, posters: string[] = []) =>
      (await renderLetter(letter, samplePosters(publicFolder, { posters }))).pictures.map((it) => it.name);
    const receipt = sampleOf('receipt');
    expect(await shown(receipt)).toEqual(['mark.png', 'frame.jpg']);
    expect(await shown({ ...receipt, shippingAddress: undefined })).toEqual(['mark.png', 'service.jpg']);
    expect(await shown({ ...receipt, gift: { recipientName: 'Maria' } })).toEqual(['mark.png', 'gift.jpg']);
    const review = sampleOf('review-request');
    expect(await shown({ ...review, recipientName: undefined })).toEqual(['mark.png', 'frame.jpg']);
    expect(await shown({ ...review, isService: true })).toEqual(['mark.png', 'service.jpg']);
    expect(await shown({ ...review, recipientName: 'Maria' })).toEqual(['mark.png', 'gift.jpg']);
    expect(await shown(sampleOf('videos-ready'), ['cat', 'kite'])).toEqual([
      'mark.png',
      'poster-1.jpg',
      'poster-2.jpg',
    ]);
    expect(await shown(sampleOf('videos-ready'))).toEqual(['mark.png']);
    expect(await shown(sampleOf('password-reset'))).toEqual(['mark.png']);
    expect(await shown(sampleOf('owner-sale'))).toEqual([]);
  });

  test('a picture is read once, however many letters show it', async () => {
    const [first, second] = [await renderLetter(sampleOf('receipt')), await renderLetter(sampleOf('receipt'))];
    expect(second.pictures[1]!.bytes).toBe(first.pictures[1]!.bytes);
    // With its logo and in base64 it stays a light mail.
    const bytes = first.pictures.reduce((sum, it) => sum + it.bytes.length, 0);
    expect(bytes).toBeLessThan(75_000);
  });

  test('a receipt leads to the registration first, and to the photos once there is an account', async () => {
    const receipt = sampleOf('receipt');
    const open = await renderLetter(receipt);
    expect(open.text).toContain(`Finish your registration:\n${receipt.finishRegistrationUrl}`);
    const unconfirmed = await renderLetter({ ...receipt, isAccountUnconfirmed: true });
    expect(unconfirmed.text).not.toContain('First choose a password');
    expect(unconfirmed.text).toContain('an account with your e-mail address already');
    expect(unconfirmed.text).toContain(`Choose a new password:\n${receipt.finishRegistrationUrl}`);
    const done = await renderLetter({ ...receipt, finishRegistrationUrl: undefined });
    expect(done.text).toContain(`Upload your photos:\n${receipt.uploadUrl}`);
    expect(done.text).not.toContain('egistration');
  });

  test('a receipt adds up as it was charged, with discount, shipping and tax of their own', async () => {
    const { text } = await renderLetter(sampleOf('receipt'));
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
    const { text: plain } = await renderLetter({
      ...sampleOf('receipt'),
      discountCents: 0,
      shippingAddress: undefined,
    });
    expect(plain).not.toMatch(/Discount|Shipping/);
  });

  test('an evening in New York is dated by its own day', async () => {
    const text = await textOf({ ...sampleOf('receipt'), orderedAt: '2026-12-25T01:00:00Z' });
    expect(text).toContain('Ordered December 24, 2026 at 8:00 PM EST');
  });

  test('an arrival is promised only under its condition', async () => {
    const receipt = sampleOf('receipt');
    expect(await textOf(receipt)).toContain(
      'If you finish your photos today, we expect your order to arrive between Wednesday, December 2 and Friday, December 4.',
    );
    expect(await textOf({ ...receipt, estimatedDelivery: undefined })).not.toContain('arrive');
  });

  test('a gift is told to its giver: for whom, with which words, on which day', async () => {
    const gift = { recipientName: 'Maria', from: 'Rose', message: 'Happy birthday!', shipOn: '2026-12-20' };
    const text = await textOf({ ...sampleOf('receipt'), gift });
    for (const said of [
      'A gift for Maria',
      'leaves us on Sunday, December 20, not before',
      'signed Rose',
      gift.message,
    ])
      expect(text).toContain(said);
    expect(text).toContain('If you finish your photos today, we expect');
    const { from, to } = sampleOf('receipt').estimatedDelivery!;
    const estimatedDelivery = { from, to, finishBy: '2026-12-15' };
    expect(await textOf({ ...sampleOf('receipt'), gift, estimatedDelivery })).toContain(
      'If you finish your photos by Tuesday, December 15, we expect',
    );
    const toOwner = await textOf({ ...sampleOf('owner-sale'), gift });
    expect(toOwner).toMatch(/A gift for:?\s+Maria/);
    expect(toOwner).toMatch(/Not before:?\s+Sunday, December 20/);
  });

  test('a gift that is on its way goes to its recipient, who is not asked to do what the giver can', async () => {
    const gift = { recipientName: 'Maria', from: 'Rose', message: 'Happy birthday!', shipOn: '2026-12-20' };
    const letter = { ...sampleOf('shipped'), gift };
    expect((await renderLetter(letter)).subject).toContain('Your gift for Maria is on its way');
    const text = await textOf(letter);
    expect(text).toContain('ask for the code that the frame shows');
    expect(text).not.toContain('plug the frame in and connect it to your Wi-Fi');
  });

  test('Canada learns about duties, others do not', async () => {
    const receipt = sampleOf('receipt');
    const address = { ...receipt.shippingAddress!, country: 'CA' };
    expect((await renderLetter({ ...receipt, shippingAddress: address })).text).toContain('duties');
    expect((await renderLetter(receipt)).text).not.toContain('duties');
  });

  test('only the reminder of the seventh day calls itself the last', async () => {
    const reminder = sampleOf('photo-reminder');
    for (const daysOpen of [1, 3]) expect((await renderLetter({ ...reminder, daysOpen })).text).not.toContain('last');
    expect((await renderLetter({ ...reminder, daysOpen: 7 })).text).toContain('This is our last reminder.');
  });

  test('limits are told as they are kept', async () => {
    expect(await textOf(sampleOf('password-reset'))).toContain('works once, for 1 hour');
    expect(await textOf(sampleOf('email-confirmation'))).toContain('works for 7 days');
    const afterBuying = await textOf({ ...sampleOf('email-confirmation'), orderNumber: 'KF-7Q2M-4XPA' });
    expect(afterBuying).toContain('Order KF-7Q2M-4XPA is in your account already');
    expect(afterBuying).not.toContain('Orders and photos that belong to it then appear');
    expect(await textOf(sampleOf('upload-link'))).toContain('works until November 27, 2026 at 2:39 PM EST');
    expect(await textOf(sampleOf('videos-ready'))).toContain('for 90 days after delivery');
    expect(await textOf(sampleOf('finalized'))).toContain('24 to 72 hours');
  });

  test('who gets a frame is led to the guide to connect it, as a sheet to print', async () => {
    expect(await textOf(sampleOf('shipped'))).toContain('https://kinframe.example/guides/connect-your-frame.pdf');
  });

  test('a tracking address that is none is left out, and the order stays the way on', async () => {
    const shipped = sampleOf('shipped');
    for (const url of ['www.ups.com/track', 'javascript:alert(1)', '']) {
      const { html, text } = await renderLetter({ ...shipped, tracking: { ...shipped.tracking!, url } });
      expect(html).not.toContain('javascript:');
      expect(text).toContain(`See your order:\n${shipped.orderUrl}`);
      expect(text).toContain(shipped.tracking!.number);
    }
  });

  test('words in one or many lines stay as they were written', async () => {
    const answer = 'First.\r\n\r\n  Second & <third>\nFourth';
    const { text, html } = await renderLetter({ ...sampleOf('ticket-answered'), answer });
    expect(text).toMatch(/> First\.\n> ?\n> Second & <third>\n> Fourth/);
    expect(html).toContain('Second &amp; &lt;third&gt;<br/>Fourth');
  });

  test('a stranger cannot have us advertise', async () => {
    const advertisement = 'You won! https://evil.example/prize';
    const received = { ...sampleOf('ticket-received'), name: advertisement, subject: advertisement };
    const confirmation = { ...sampleOf('email-confirmation'), firstName: 'Win at evil.example' };
    for (const letter of [received, confirmation]) {
      const { subject, html, text } = await renderLetter(letter);
      expect(subject + html + text).not.toContain('evil');
      expect(text).toContain('Hello,');
    }
  });

  test('a letter that cannot be true is refused', async () => {
    const receipt = sampleOf('receipt');
    await expect(renderLetter({ ...receipt, totalCents: Number.NaN })).rejects.toThrow('not an amount');
    await expect(renderLetter({ ...receipt, totalCents: 10.5 })).rejects.toThrow('not an amount');
    await expect(renderLetter({ ...receipt, orderedAt: 'yesterday' })).rejects.toThrow(RangeError);
    await expect(renderLetter({ ...receipt, uploadUrl: '/upload' })).rejects.toThrow('uploadUrl is no web address');
    await expect(renderLetter({ ...receipt, orderUrl: 'javascript:alert(1)' })).rejects.toThrow('orderUrl');
    await expect(renderLetter({ ...sampleOf('finalized'), photoCount: Number.NaN })).rejects.toThrow('not a number');
  });

  test('a missing value read back from the database as null is a missing value', async () => {
    const { text } = await renderLetter({ ...sampleOf('refund'), reason: null as never, orderUrl: null as never });
    expect(text).not.toContain('null');
  });

  test('the same letter is the same words, however often', async () => {
    const receipt = sampleOf('receipt');
    expect(await renderLetter(receipt)).toEqual(await renderLetter(structuredClone(receipt)));
  });
});

describe('words', () => {
  test.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [19_900, '$199.00'],
    [119_900, '$1,199.00'],
    [-1000, '−$10.00'],
  ])('%d cents are %s', (cents, words) => {
    expect(money(cents)).toBe(words);
  });

  test('days', () => {
    expect(dayRange({ from: '2026-12-31', to: '2027-01-04' })).toBe(
      'between Thursday, December 31 and Monday, January 4',
    );
    expect(dayRange({ from: '2026-12-31', to: '2026-12-31' })).toBe('on Thursday, December 31');
    expect(dayRange({ from: '2026-12-31T23:59:59.999Z', to: '2026-12-31' })).toBe('on Thursday, December 31');
  });

  test('countries by name, and as written where the code is none', () => {
    expect(['US', 'CA', 'USA', '', 'Atlantis'].map(country)).toEqual([
      'United States',
      'Canada',
      'USA',
      '',
      'Atlantis',
    ]);
  });

  test.each(['Anna', 'J.R. Smith', "Zoë O'Neil-Østergård", '毛利 小五郎', 'Dr. St. Clair', 'Anna 2'])(
    '%s is greeted',
    (name) => {
      expect(greeting(name)).toBe(`Hello ${name},`);
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
  ])('%s is not', (name) => {
    expect(greeting(name)).toBe('Hello,');
    expect(isHarmless(name ?? '/', 40)).toBe(name === '');
  });
});
