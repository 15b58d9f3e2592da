import { describe, expect, test } from 'vitest';
import type { $ZodType } from 'zod/v4/core';
import { safeParse } from 'zod/v4/core';
import * as accountForms from './account-forms.ts';
import { api } from './api.ts';
import * as cartForms from './cart-form.ts';
import * as collectForms from './collect-forms.ts';
import * as contentForms from './content-forms.ts';
import * as customerDetails from './customer-details.ts';
import * as deliveryForms from './delivery-forms.ts';
import * as giftForms from './gift-forms.ts';
import type { Operation } from './operation.ts';
import * as photoForms from './photo-forms.ts';
import { centsOf } from './refund-forms.ts';
import * as refundForms from './refund-forms.ts';
import * as reviewForms from './review-forms.ts';
import * as shipmentForms from './shipment-forms.ts';
import * as supportForms from './support-forms.ts';
import { tidyFrameCode } from './tidy.ts';

const emailWords = 'Please enter a valid email address';
const localWords =
  'Please use an email address with only the letters a to z, digits and . _ + - before the @. We cannot send mail to others.';
const zipWords = 'Please enter a ZIP code like 10001 or 10001-2345';
const codeWords = 'Please enter the six digits your app shows, or a recovery code';

interface Typed {
  typed: string;
  /** The stored text. Absent if the text is refused. */
  kept?: string;
  words?: string;
}
const kept = (typed: string, it: string): Typed => ({ typed, kept: it });
const refused = (typed: string, words: string): Typed => ({ typed, words });

/** Typed texts by the name of the field, with the result in forms and operations. */
const table: Record<string, readonly Typed[]> = {
  email: [
    kept('anna@example.com', 'anna@example.com'),
    kept(' Anna@Example.COM ', 'anna@example.com'),
    kept('\u200banna@example.com\ufeff', 'anna@example.com'),
    kept('\u202aanna@example.com\u202c', 'anna@example.com'),
    kept('anna@münchen.de', 'anna@xn--mnchen-3ya.de'),
    kept('Anna@MÜNCHEN.de', 'anna@xn--mnchen-3ya.de'),
    kept('anna@mu\u0308nchen.de', 'anna@xn--mnchen-3ya.de'),
    kept('anna@xn--mnchen-3ya.de', 'anna@xn--mnchen-3ya.de'),
    kept('anna@straße.de', 'anna@xn--strae-oqa.de'),
    kept('anna@пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'),
    kept('ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'anna@example.com'),
    kept('anna@例え。jp', 'anna@xn--r8jz45g.jp'),
    refused('änna@example.com', localWords),
    refused('анна@пример.рф', localWords),
    // In lower case, the Kelvin sign would become a k, which is another mailbox.
    refused('\u212aate@example.com', localWords),
    refused('anna@münchen.de/path', emailWords),
    refused('anna@münchen.de:25', emailWords),
    refused('anna@münchen', emailWords),
    refused('anna@①②.③', emailWords),
    refused('anna@@münchen.de', emailWords),
  ],
  zip: [
    kept('02138', '02138'),
    kept(' 02138-1234\u00a0', '02138-1234'),
    kept('021381234', '02138-1234'),
    kept('02138 1234', '02138-1234'),
    kept('02138–1234', '02138-1234'),
    kept('02138 — 1234', '02138-1234'),
    kept('02138\u22121234', '02138-1234'),
    kept('02138ー1234', '02138-1234'),
    kept('０２１３８－１２３４', '02138-1234'),
    kept('٠٢١٣٨', '02138'),
    kept('02138-', '02138'),
    kept('\u200e02138\u200f', '02138'),
    refused('2138', zipWords),
    refused('0213-81234', zipWords),
    refused('02138+1234', zipWords),
    refused('K1A 0B1', zipWords),
  ],
  canadianCode: [
    kept('K1A 0B1', 'K1A 0B1'),
    kept('k1a0b1', 'K1A 0B1'),
    kept(' k1a-0b1 ', 'K1A 0B1'),
    kept('k1a–0b1', 'K1A 0B1'),
    kept('Ｋ１Ａ　０Ｂ１', 'K1A 0B1'),
    kept('K1A\u200b0B1', 'K1A 0B1'),
    refused('D1A 0B1', 'Please enter a postal code like K1A 0B1'),
  ],
  phone: [
    kept('(207) 555-0142 ext. 5', '(207) 555-0142 ext. 5'),
    kept(' \u202d+1 207 555 0142\u202c ', '+1 207 555 0142'),
    kept('２０７－５５５－０１４２', '２０７－５５５－０１４２'),
    kept('207–555–0142', '207–555–0142'),
    kept('   ', ''),
    refused('1'.repeat(41), 'This phone number is too long'),
  ],
  promoCode: [
    kept(' GIFT10 ', 'GIFT10'),
    kept('GIFT 10', 'GIFT10'),
    kept('ＧＩＦＴ１０', 'GIFT10'),
    kept('gift\u00ad10\u200b', 'gift10'),
    kept('SPRING–25', 'SPRING-25'),
    kept(' \u200b ', ''),
    refused('A'.repeat(41), 'This promo code is too long.'),
  ],
  code: [
    kept('123456', '123456'),
    kept('123 456', '123456'),
    kept('１２３４５６', '123456'),
    kept('١٢٣ ٤٥٦', '123456'),
    kept('123\u2011456', '123456'),
    kept('ABCD-EFGH ijkl mnop', 'abcdefghijklmnop'),
    kept('ＡＢＣＤ－ＥＦＧＨ－ＩＪＫＬ－ＭＮＯＰ', 'abcdefghijklmnop'),
    refused('12345', codeWords),
    refused('123456７', codeWords),
  ],
  trackingNumber: [
    kept('\u200b9400 1111\u200b', '9400 1111'),
    kept('９４００　１１１１', '9400 1111'),
    kept('9400–1111', '9400-1111'),
  ],
};

const forms = [
  accountForms,
  cartForms,
  collectForms,
  contentForms,
  customerDetails,
  deliveryForms,
  giftForms,
  photoForms,
  refundForms,
  reviewForms,
  shipmentForms,
  supportForms,
];
/** Every form by its name, and the body and query of every operation by its route. */
const schemas = new Map<string, $ZodType>([
  ...forms.flatMap((it) => Object.entries(it)).flatMap(([name, it]) => schemasIn(name, it)),
  ...Object.entries(api as Record<string, Operation>).flatMap(([route, { body, query }]) => [
    ...schemasIn(`${route} body`, body),
    ...schemasIn(`${route} query`, query),
  ]),
]);
function schemasIn(name: string, it: unknown): [string, $ZodType][] {
  if (typeof it !== 'object' || it === null) return [];
  if ('_zod' in it) return [[name, it as $ZodType]];
  return Object.entries(it).flatMap(([key, inner]) => schemasIn(`${name}.${key}`, inner));
}

/** Yields the text fields of a schema with their paths. */
function* fieldsOf(path: string, schema: $ZodType): Generator<{ path: string; name: string; schema: $ZodType }> {
  const { def } = schema._zod as unknown as { def: Def };
  if (def.type === 'object') for (const [key, it] of Object.entries(def.shape!)) yield* fieldsOf(`${path}/${key}`, it);
  else if (def.element) yield* fieldsOf(path, def.element);
  else if (def.options) for (const it of def.options) yield* fieldsOf(path, it);
  else if (def.innerType) yield* fieldsOf(path, def.innerType);
  else if (def.in) yield* fieldsOf(path, def.in);
  else if (def.type === 'string') yield { path, name: path.split('/').at(-1)!, schema };
}
interface Def {
  type: string;
  shape?: Record<string, $ZodType>;
  element?: $ZodType;
  options?: readonly $ZodType[];
  innerType?: $ZodType;
  in?: $ZodType;
}
const fields = Array.from(schemas).flatMap(([path, schema]) => Array.from(fieldsOf(path, schema)));
const isZip = (schema: $ZodType) => safeParse(schema, '10001').success;

const kinds: Record<string, (field: { path: string; name: string; schema: $ZodType }) => boolean> = {
  email: ({ name }) => /email$/i.test(name),
  zip: ({ name, schema }) => name === 'postalCode' && isZip(schema),
  canadianCode: ({ name, schema }) => name === 'postalCode' && !isZip(schema),
  // The shop's own phone number has a different rule.
  phone: ({ path, name }) => name === 'phone' && !/Site|site\.json/.test(path),
  promoCode: ({ name }) => /^promoCode(Field)?$/i.test(name),
  code: ({ name }) => name === 'code',
  trackingNumber: ({ name }) => name === 'trackingNumber',
};

describe.each(Object.entries(kinds))('%s', (kind, isOfKind) => {
  const found = fields.filter(isOfKind);
  test('is a field of forms and of operations', () => {
    expect(found.some(({ path }) => path.includes('/api/'))).toBe(true);
    expect(found.some(({ path }) => !path.includes('/api/'))).toBe(true);
  });
  test.each(table[kind]!)('stores or refuses $typed as the table says', ({ typed, kept: it, words }) => {
    for (const { path, schema } of found) {
      const { success, data, error } = safeParse(schema, typed);
      if (it !== undefined) expect([path, success ? data : error?.issues]).toEqual([path, it]);
      // Sign-in forms accept invalid addresses and say only that no account exists. They refuse only addresses that no
      // account can have.
      else if (!isLenient(path) || words === localWords)
        expect([path, error?.issues.map((issue) => issue.message)]).toEqual([path, [words]]);
    }
  });
});
/** The specification requires only an @ in these forms. */
const isLenient = (path: string) => /SignInForm|ForgotPasswordForm|auth\/(login|link|forgot-password)/.test(path);

test('the shop’s contact address must be an address that can receive email', () => {
  for (const { typed, kept: it } of table['email']!)
    expect(safeParse(contentForms.SiteForm.shape.contactEmail, typed).data).toBe(it);
});

test('every typed text loses invisible characters at its ends but keeps them inside', () => {
  /**
   * Excluded: secrets are stored as typed, codes also lose such characters inside, and ids, tokens and page addresses
   * are generated by programs.
   */
  const isExempt = (path: string) =>
    /(password|token|key|ids?|path|url|session|promoCode(Field)?|version|film|transports|referrer|userAgent|after|notes(Before)?|refresh|honeypot)$/i.test(
      path,
    );
  const marks = '\u200b\u2060\ufeff\u00a0\u3000\u3164\u2800';
  const untidied = fields.filter(({ path, schema }) => {
    if (isExempt(path)) return false;
    const parsed = safeParse(schema, `${marks} A\u200db ${marks}`);
    return parsed.success && parsed.data !== 'A\u200db';
  });
  expect(untidied.map(({ path }) => path)).toEqual([]);
});

test('an emoji at the end of a text stays complete', () => {
  for (const text of ['We ❤\ufe0f', '👨\u200d👩\u200d👧', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'])
    expect(safeParse(deliveryForms.CaptionForm.shape.caption, ` ${text}\u200b`).data).toBe(text);
});

test('tidies a megabyte of invisible characters in less than two seconds', () => {
  const long = `a${'\u200b '.repeat(300_000)}b`;
  const start = performance.now();
  for (const name of ['firstName', 'email', 'postalCode', 'phone', 'promoCode', 'code', 'caption', 'trackingNumber'])
    for (const { schema } of fields.filter((it) => it.name === name).slice(0, 2)) safeParse(schema, long);
  expect(performance.now() - start).toBeLessThan(2000);
});

test('amounts may use full-width digits', () => {
  expect(centsOf(' １２．５０\u200b')).toBe(1250);
  expect(centsOf('＄１，２５０')).toBe(125_000);
});

test('the code of a frame’s manufacturer keeps its inner spaces', () => {
  expect(tidyFrameCode(' ＡＢ１２ ３４\u200b')).toBe('AB12 34');
});
