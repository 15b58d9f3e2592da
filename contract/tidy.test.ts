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
import { parseDollarsToCents } from './refund-forms.ts';
import * as refundForms from './refund-forms.ts';
import * as reviewForms from './review-forms.ts';
import * as shipmentForms from './shipment-forms.ts';
import * as supportForms from './support-forms.ts';
import { tidyFrameCode } from './tidy.ts';

const emailMessage = 'Please enter a valid email address';
const localPartText =
  'Please use an email address with only the letters a to z, digits and . _ + - before the @. We can’t send email to other addresses.';
const zipMessage = 'Please enter a ZIP code like 10001 or 10001-2345';
const codeMessage = 'Please enter the six digits your app shows, or a recovery code';

interface TypedText {
  typed: string;
  /** The stored text. Absent if the text is refused. */
  accepted?: string;
  words?: string;
}
const acceptedText = (typed: string, it: string): TypedText => ({ typed, accepted: it });
const refusedText = (typed: string, words: string): TypedText => ({ typed, words });

/** Typed texts by the name of the field, with the result in forms and operations. */
const typedTextsByField: Record<string, readonly TypedText[]> = {
  email: [
    acceptedText('anna@example.com', 'anna@example.com'),
    acceptedText(' Anna@Example.COM ', 'anna@example.com'),
    acceptedText('\u200banna@example.com\ufeff', 'anna@example.com'),
    acceptedText('\u202aanna@example.com\u202c', 'anna@example.com'),
    acceptedText('anna@münchen.de', 'anna@xn--mnchen-3ya.de'),
    acceptedText('Anna@MÜNCHEN.de', 'anna@xn--mnchen-3ya.de'),
    acceptedText('anna@mu\u0308nchen.de', 'anna@xn--mnchen-3ya.de'),
    acceptedText('anna@xn--mnchen-3ya.de', 'anna@xn--mnchen-3ya.de'),
    acceptedText('anna@straße.de', 'anna@xn--strae-oqa.de'),
    acceptedText('anna@пример.рф', 'anna@xn--e1afmkfd.xn--p1ai'),
    acceptedText('ａｎｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'anna@example.com'),
    acceptedText('anna@例え。jp', 'anna@xn--r8jz45g.jp'),
    refusedText('änna@example.com', localPartText),
    refusedText('анна@пример.рф', localPartText),
    // In lower case, the Kelvin sign would become a k, which is another mailbox.
    refusedText('\u212aate@example.com', localPartText),
    refusedText('anna@münchen.de/path', emailMessage),
    refusedText('anna@münchen.de:25', emailMessage),
    refusedText('anna@münchen', emailMessage),
    refusedText('anna@①②.③', emailMessage),
    refusedText('anna@@münchen.de', emailMessage),
  ],
  zip: [
    acceptedText('02138', '02138'),
    acceptedText(' 02138-1234\u00a0', '02138-1234'),
    acceptedText('021381234', '02138-1234'),
    acceptedText('02138 1234', '02138-1234'),
    acceptedText('02138–1234', '02138-1234'),
    acceptedText('02138 — 1234', '02138-1234'),
    acceptedText('02138\u22121234', '02138-1234'),
    acceptedText('02138ー1234', '02138-1234'),
    acceptedText('０２１３８－１２３４', '02138-1234'),
    acceptedText('٠٢١٣٨', '02138'),
    acceptedText('02138-', '02138'),
    acceptedText('\u200e02138\u200f', '02138'),
    refusedText('2138', zipMessage),
    refusedText('0213-81234', zipMessage),
    refusedText('02138+1234', zipMessage),
    refusedText('K1A 0B1', zipMessage),
  ],
  canadianCode: [
    acceptedText('K1A 0B1', 'K1A 0B1'),
    acceptedText('k1a0b1', 'K1A 0B1'),
    acceptedText(' k1a-0b1 ', 'K1A 0B1'),
    acceptedText('k1a–0b1', 'K1A 0B1'),
    acceptedText('Ｋ１Ａ　０Ｂ１', 'K1A 0B1'),
    acceptedText('K1A\u200b0B1', 'K1A 0B1'),
    refusedText('D1A 0B1', 'Please enter a postal code like K1A 0B1'),
  ],
  phone: [
    acceptedText('(207) 555-0142 ext. 5', '(207) 555-0142 ext. 5'),
    acceptedText(' \u202d+1 207 555 0142\u202c ', '+1 207 555 0142'),
    acceptedText('２０７－５５５－０１４２', '２０７－５５５－０１４２'),
    acceptedText('207–555–0142', '207–555–0142'),
    acceptedText('   ', ''),
    refusedText('1'.repeat(41), 'This phone number is too long'),
  ],
  promoCode: [
    acceptedText(' GIFT10 ', 'GIFT10'),
    acceptedText('GIFT 10', 'GIFT10'),
    acceptedText('ＧＩＦＴ１０', 'GIFT10'),
    acceptedText('gift\u00ad10\u200b', 'gift10'),
    acceptedText('SPRING–25', 'SPRING-25'),
    acceptedText(' \u200b ', ''),
    refusedText('A'.repeat(41), 'This promo code is too long.'),
  ],
  code: [
    acceptedText('123456', '123456'),
    acceptedText('123 456', '123456'),
    acceptedText('１２３４５６', '123456'),
    acceptedText('١٢٣ ٤٥٦', '123456'),
    acceptedText('123\u2011456', '123456'),
    acceptedText('ABCD-EFGH ijkl mnop', 'abcdefghijklmnop'),
    acceptedText('ＡＢＣＤ－ＥＦＧＨ－ＩＪＫＬ－ＭＮＯＰ', 'abcdefghijklmnop'),
    refusedText('12345', codeMessage),
    refusedText('123456７', codeMessage),
  ],
  trackingNumber: [
    acceptedText('\u200b9400 1111\u200b', '9400 1111'),
    acceptedText('９４００　１１１１', '9400 1111'),
    acceptedText('9400–1111', '9400-1111'),
  ],
};

const formModules = [
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
  ...formModules.flatMap((it) => Object.entries(it)).flatMap(([name, it]) => findSchemas(name, it)),
  ...Object.entries(api as Record<string, Operation>).flatMap(([route, { body, query }]) => [
    ...findSchemas(`${route} body`, body),
    ...findSchemas(`${route} query`, query),
  ]),
]);
function findSchemas(name: string, it: unknown): [string, $ZodType][] {
  if (typeof it !== 'object' || it === null) return [];
  if ('_zod' in it) return [[name, it as $ZodType]];
  return Object.entries(it).flatMap(([key, inner]) => findSchemas(`${name}.${key}`, inner));
}

/** Yields the text fields of a schema with their paths. */
function* listFields(path: string, schema: $ZodType): Generator<{ path: string; name: string; schema: $ZodType }> {
  const { def } = schema._zod as unknown as { def: SchemaDefinition };
  if (def.type === 'object')
    for (const [key, it] of Object.entries(def.shape!)) yield* listFields(`${path}/${key}`, it);
  else if (def.element) yield* listFields(path, def.element);
  else if (def.options) for (const optionSchema of def.options) yield* listFields(path, optionSchema);
  else if (def.innerType) yield* listFields(path, def.innerType);
  else if (def.in) yield* listFields(path, def.in);
  else if (def.type === 'string') yield { path, name: path.split('/').at(-1)!, schema };
}
interface SchemaDefinition {
  type: string;
  shape?: Record<string, $ZodType>;
  element?: $ZodType;
  options?: readonly $ZodType[];
  innerType?: $ZodType;
  in?: $ZodType;
}
const fields = Array.from(schemas).flatMap(([path, schema]) => Array.from(listFields(path, schema)));
const isPartial = (path: string) => /PartialAddressForm|price-cart/.test(path);
const isZip = (schema: $ZodType) => safeParse(schema, '10001').success;

const fieldMatchers: Record<string, (field: { path: string; name: string; schema: $ZodType }) => boolean> = {
  email: ({ name }) => /email$/i.test(name),
  // A wallet shortens postal codes, so the part of an address that it gives has a different rule.
  zip: ({ path, name, schema }) => name === 'postalCode' && isZip(schema) && !isPartial(path),
  canadianCode: ({ name, schema }) => name === 'postalCode' && !isZip(schema),
  // The shop's own phone number has a different rule.
  phone: ({ path, name }) => name === 'phone' && !/Site|site\.json/.test(path),
  promoCode: ({ name }) => /^promoCode(Field)?$/i.test(name),
  // The code of a gift card has a different rule.
  code: ({ path, name }) => name === 'code' && !/gift-?card/i.test(path),
  trackingNumber: ({ name }) => name === 'trackingNumber',
};

describe.each(Object.entries(fieldMatchers))('%s', (kind, isOfKind) => {
  const foundFields = fields.filter(isOfKind);
  test('at least one form and one operation have this field', () => {
    expect(foundFields.some(({ path }) => path.includes('/api/'))).toBe(true);
    expect(foundFields.some(({ path }) => !path.includes('/api/'))).toBe(true);
  });
  test.each(typedTextsByField[kind]!)(
    'stores $typed as the table of this field says, or refuses it',
    ({ typed, accepted: it, words }) => {
      for (const { path, schema } of foundFields) {
        const { success, data, error } = safeParse(schema, typed);
        if (it !== undefined) expect([path, success ? data : error?.issues]).toEqual([path, it]);
        // Sign-in forms accept invalid addresses and say only that no account exists. They refuse only addresses that no
        // account can have.
        else if (!isLenient(path) || words === localPartText)
          expect([path, error?.issues.map((issue) => issue.message)]).toEqual([path, [words]]);
      }
    },
  );
});
/** The specification requires only an @ in these forms. */
const isLenient = (path: string) =>
  /SignInForm|ForgotPasswordForm|auth\/(login|link|forgot-password|staff\/password)/.test(path);

test('the shop’s contact address must be an address that can receive email', () => {
  for (const { typed, accepted: it } of typedTextsByField['email']!)
    expect(safeParse(contentForms.SiteForm.shape.contactEmail, typed).data).toBe(it);
});

test('every typed text loses invisible characters at its ends but keeps them inside', () => {
  /**
   * Excluded: secrets are stored as typed, codes also lose such characters inside, and ids, tokens and page addresses
   * are generated by programs.
   */
  const isExempt = (path: string) =>
    /(password(Field)?|token|key|ids?|person|replaces|path|url|session|promoCode(Field)?|version|film|transports|referrer|userAgent|after|notes(Before)?|refresh|honeypot)$/i.test(
      path,
    );
  const invisibleCharacters = '\u200b\u2060\ufeff\u00a0\u3000\u3164\u2800';
  const untidiedFields = fields.filter(({ path, schema }) => {
    if (isExempt(path)) return false;
    const parseResult = safeParse(schema, `${invisibleCharacters} A\u200db ${invisibleCharacters}`);
    return parseResult.success && parseResult.data !== 'A\u200db';
  });
  expect(untidiedFields.map(({ path }) => path)).toEqual([]);
});

test('an emoji at the end of a text stays complete', () => {
  for (const text of ['We ❤\ufe0f', '👨\u200d👩\u200d👧', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'])
    expect(safeParse(deliveryForms.CaptionForm.shape.caption, ` ${text}\u200b`).data).toBe(text);
});

test('tidies a megabyte of invisible characters in less than two seconds', () => {
  const longText = `a${'\u200b '.repeat(300_000)}b`;
  const startMs = performance.now();
  for (const name of ['firstName', 'email', 'postalCode', 'phone', 'promoCode', 'code', 'caption', 'trackingNumber'])
    for (const { schema } of fields.filter((it) => it.name === name).slice(0, 2)) safeParse(schema, longText);
  expect(performance.now() - startMs).toBeLessThan(2000);
});

test('accepts full-width digits in an amount', () => {
  expect(parseDollarsToCents(' １２．５０\u200b')).toBe(1250);
  expect(parseDollarsToCents('＄１，２５０')).toBe(125_000);
});

test('the code of a frame’s manufacturer keeps its inner spaces', () => {
  expect(tidyFrameCode(' ＡＢ１２ ３４\u200b')).toBe('AB12 34');
});
