import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deleteOldData } from '#server/jobs/retention.ts';
import { describeOnFastestEngine, type FreshDatabase } from '#test/database.ts';
import { fakeCustomsPdf, fakePdf } from '#test/fake-easypost.ts';
import { toStatusAndCode, labelParcel, openLabelShop } from '#test/label-shop.ts';
import { anna } from '#test/people.ts';
import { readAllTables } from '#test/rows.ts';
import type { OrderLine } from '#contract/orders.ts';
import { customsLimitsOf } from './customs.ts';

const montreal = { line1: '1 Rue Saint-Paul', city: 'Montreal', state: 'QC', postalCode: 'H2Y 1H2', country: 'CA' };
const annaInCanada = { ...anna, address: montreal };
const customs = {
  description: 'Digital picture frame',
  valueCents: 19_900,
  weight: 40.5,
  hsTariffNumber: '8528.59',
  originCountry: 'cn',
  signer: 'Ada Owner',
  isCertified: true,
};
const packageToCanada = { ...labelParcel, customs };
/** The rates of the fake: USPS prints the customs form on its label, and UPS has a separate form. */
const uspsRate = 0;
const upsRate = 1;

const openCanadianShop = (fresh: FreshDatabase, cart: { quantity?: number; extraPackages?: number } = {}) =>
  openLabelShop(fresh, { cart: { customerDetails: annaInCanada, ...cart } });

describe('what was paid for a frame', () => {
  const createLine = (quantity: number, unitCents: number): OrderLine => ({
    label: 'Kinframe',
    quantity,
    unitCents,
    amountCents: quantity * unitCents,
  });
  const computePaidCents = (lines: OrderLine[], discountCents = 0) => {
    const subtotalCents = lines.reduce((sum, it) => sum + it.amountCents, 0);
    return customsLimitsOf({ quantity: lines[0]!.quantity, lines, subtotalCents, discountCents }).paidCents;
  };
  test.each([
    ['one frame', 19_900, [createLine(1, 19_900)], 0],
    ['two frames with a discount', 17_910, [createLine(2, 19_900)], 3980],
    ['three frames with a discount that leaves a part of a cent', 19_866, [createLine(3, 19_900)], 100],
    [
      'a frame with photo packages and a discount on everything',
      9950,
      [createLine(1, 19_900), createLine(2, 999)],
      10_949,
    ],
    ['twenty frames with the largest discount', 2, [createLine(20, 19_900)], 20 * 19_900 - 50],
    [
      'twenty frames and many packages with the largest discount',
      2,
      [createLine(20, 19_900), createLine(50, 999)],
      447_900,
    ],
  ])('%s: %i cents', (_, cents, lines, discountCents) => {
    expect(computePaidCents(lines, discountCents)).toBe(cents);
  });
});

describeOnFastestEngine((fresh) => {
  test('buys a label to Canada with the certified customs form, and stores both PDFs for the owner', async () => {
    const shop = await openCanadianShop(fresh, { quantity: 2, extraPackages: 1 });
    expect(await shop.read()).toMatchObject({
      refusal: null,
      customs: {
        quantity: 2,
        paid: 19_900,
        description: 'Digital picture frame',
        weight: null,
        hsTariffNumber: '',
        originCountry: '',
        signer: '',
      },
    });
    const body = { ...labelParcel, weight: 90, customs: { ...customs, valueCents: 18_905 } };
    const quotedRates = await shop.quote(body);
    expect(shop.fake.bodies.at(-1)).toMatchObject({
      shipment: {
        customs_info: {
          customs_certify: true,
          customs_signer: 'Ada Owner',
          customs_items: [{ quantity: 2, value: 378.1, weight: 81, hs_tariff_number: '852859', origin_country: 'CN' }],
        },
      },
    });
    const { json: label } = await shop.buy(quotedRates, upsRate);
    expect(label).toMatchObject({
      state: 'bought',
      hasCustoms: true,
      pdfUrl: `/labels/${label.id}`,
      customsPdfUrl: `/labels/${label.id}/customs`,
    });
    expect((await shop.admin.get(label.pdfUrl)).bytes).toEqual(fakePdf);
    const form = await shop.admin.get(label.customsPdfUrl);
    expect([form.bytes, form.headers['content-type']]).toEqual([fakeCustomsPdf, 'application/pdf']);
    expect(form.headers['content-disposition']).toContain(`customs-${label.trackingNumber}.pdf`);
    for (const client of [shop.browser, shop.it.browser()])
      expect((await client.get(label.customsPdfUrl)).status).toBe(404);
    expect((await shop.read()).customs).toEqual({
      quantity: 2,
      paid: 19_900,
      description: 'Digital picture frame',
      weight: 40.5,
      hsTariffNumber: '852859',
      originCountry: 'CN',
      signer: 'Ada Owner',
    });
    const { rows } = (await shop.admin.get('/api/admin/lists/audit')).json;
    expect(rows.find((row: { act: string }) => row.act === 'quote-label').after.customs).toMatchObject({
      signer: 'Ada Owner',
      valueCents: 18_905,
    });
  });

  test('gives the label service the phone number of a gift’s recipient, never the giver’s', async () => {
    for (const [recipientPhone, phone] of [
      ['(514) 555-0123', '+15145550123'],
      ['', undefined],
    ] as const) {
      const gift = { recipientName: 'Maria Ode', recipientPhone };
      const customerDetails = { ...annaInCanada, phone: '(207) 555-0142', gift };
      const shop = await openLabelShop(fresh, { cart: { customerDetails } });
      await shop.quote(packageToCanada);
      const addresses = shop.fake.bodies.map((it) => (it as { address?: { name: string; phone?: string } }).address);
      expect(addresses.find((it) => it?.name === 'Maria Ode')?.phone).toBe(phone);
    }
  });

  test('stores only the label if the carrier prints the customs form on it', async () => {
    const shop = await openCanadianShop(fresh);
    const { json: label } = await shop.buy(await shop.quote(packageToCanada), uspsRate);
    expect(label).toMatchObject({ hasCustoms: true, pdfUrl: expect.any(String), customsPdfUrl: null, problem: null });
    expect((await shop.admin.get(`/labels/${label.id}/customs`)).status).toBe(404);
  });

  test('a second click buys nothing, and a lost response is found', async () => {
    const shop = await openCanadianShop(fresh);
    const quotedRates = await shop.quote(packageToCanada);
    shop.fake.trouble.push({ call: '/buy', answer: 'lost' });
    const buyResponses = await Promise.all([shop.buy(quotedRates), shop.buy(quotedRates)]);
    expect(buyResponses.map(({ status }) => status)).toEqual([200, 200]);
    expect(shop.fake.purchases).toBe(1);
    expect(await shop.states()).toEqual(['bought']);
  });

  test.each([
    ['no form', undefined, 'label-customs-missing', {}],
    ['no certificate', { ...customs, isCertified: undefined }, 'invalid-request', { isCertified: /confirm/ }],
    ['a refused certificate', { ...customs, isCertified: false }, 'invalid-request', { isCertified: /confirm/ }],
    ['a value of zero', { ...customs, valueCents: 0 }, 'invalid-request', { valueCents: /dollars/ }],
    ['a negative value', { ...customs, valueCents: -100 }, 'invalid-request', { valueCents: /dollars/ }],
    ['a value in parts of cents', { ...customs, valueCents: 1.5 }, 'invalid-request', { valueCents: /dollars/ }],
    ['a huge value', { ...customs, valueCents: 1e9 }, 'invalid-request', { valueCents: /dollars/ }],
    ['more than was paid', { ...customs, valueCents: 19_901 }, 'label-customs-value', {}],
    ['frames that weigh more than the package', { ...customs, weight: 52.1 }, 'label-customs-weight', {}],
    ['no weight', { ...customs, weight: 0 }, 'invalid-request', { weight: /ounces/ }],
    [
      'a short tariff number',
      { ...customs, hsTariffNumber: '8528.5' },
      'invalid-request',
      { hsTariffNumber: /6 to 10/ },
    ],
    ['no origin', { ...customs, originCountry: '' }, 'invalid-request', { originCountry: /two letters/ }],
    ['no signer', { ...customs, signer: ' ' }, 'invalid-request', { signer: /name/ }],
  ])('refuses %s before the service is asked', async (_, form, code, fields) => {
    const shop = await openCanadianShop(fresh);
    const response = await shop.requestRates({ ...labelParcel, customs: form });
    expect(toStatusAndCode(response)).toEqual([400, code]);
    for (const [name, words] of Object.entries(fields)) expect(response.json.fields[`customs.${name}`]).toMatch(words);
    expect(shop.fake.calls).toEqual([]);
  });

  test('says what the maximum is', async () => {
    const shop = await openCanadianShop(fresh);
    const { json } = await shop.requestRates({ ...labelParcel, customs: { ...customs, valueCents: 20_000 } });
    expect(json.message).toBe('Please enter at most $199.00, because the customer paid that for each frame.');
  });

  test('explains that the carriers refused the customs form, before and during the purchase', async () => {
    const shop = await openCanadianShop(fresh);
    shop.fake.customsProblem = 'Invalid HS tariff number';
    const refusedResponse = await shop.requestRates(packageToCanada);
    expect(toStatusAndCode(refusedResponse)).toEqual([409, 'label-no-rates']);
    expect(refusedResponse.json.message).toContain('USPS: Invalid HS tariff number');
    shop.fake.customsProblem = '';
    const quotedRates = await shop.quote(packageToCanada);
    const serviceResponse = { status: 422, code: 'SHIPMENT.POSTAGE.FAILURE', message: 'Customs value is too high.' };
    shop.fake.trouble.push({ call: '/buy', answer: serviceResponse });
    const { json } = await shop.buy(quotedRates);
    expect(json).toMatchObject({
      code: 'label-refused',
      message: expect.stringContaining('Customs value is too high'),
    });
    expect(await shop.states()).toEqual(['failed']);
    expect(shop.fake.purchases).toBe(0);
  });

  test('waits ten minutes for a customs form that cannot be read, then stores the label and reports the missing form', async () => {
    const shop = await openCanadianShop(fresh);
    const failCustomsForm = () => shop.fake.trouble.push({ call: '/files/invoice', answer: 'lost' });
    failCustomsForm();
    const { json: label } = await shop.buy(await shop.quote(packageToCanada), upsRate);
    expect(label).toMatchObject({ state: 'bought', pdfUrl: null, customsPdfUrl: null, problem: null });
    failCustomsForm();
    await shop.wait(2);
    expect(await shop.follow()).toHaveLength(1);
    expect((await shop.read()).labels[0]).toMatchObject({ pdfUrl: null });
    failCustomsForm();
    await shop.wait(9);
    expect(await shop.follow()).toEqual([]);
    expect((await shop.read()).labels[0]).toMatchObject({
      state: 'bought',
      pdfUrl: `/labels/${label.id}`,
      customsPdfUrl: null,
      problem: expect.stringMatching(/^The customs form could not be read/),
    });
  });

  test('refuses a purchase after the package got another country, and needs no form in the United States', async () => {
    const shop = await openCanadianShop(fresh);
    const quotedRates = await shop.quote(packageToCanada);
    await shop.it.shop.db.execute(
      sql`update orders set shipping_address = ${JSON.stringify({ ...anna.address })}::jsonb`,
    );
    expect(toStatusAndCode(await shop.buy(quotedRates))).toEqual([409, 'label-outdated']);
    expect((await shop.read()).customs).toBeNull();
    const secondQuote = await shop.quote(packageToCanada);
    expect(JSON.stringify(shop.fake.bodies.at(-1))).not.toContain('customs');
    expect((await shop.buy(secondQuote)).json).toMatchObject({ state: 'bought', hasCustoms: false });
  });

  test('deletes the customs form with its label, when the label is refunded or old', async () => {
    const shop = await openCanadianShop(fresh);
    shop.fake.refundStatus = 'refunded';
    const { json: voidedLabel } = await shop.buy(await shop.quote(packageToCanada), upsRate);
    expect((await shop.voidLabel(voidedLabel.id)).json).toMatchObject({ state: 'voided', customsPdfUrl: null });
    expect((await shop.admin.get(voidedLabel.customsPdfUrl)).status).toBe(404);
    const { json: label } = await shop.buy(await shop.quote(packageToCanada), upsRate);
    expect((await shop.admin.get(label.customsPdfUrl)).status).toBe(200);
    await shop.wait(91 * 24 * 60);
    await deleteOldData(shop.it.shop);
    expect((await shop.admin.get(label.customsPdfUrl)).status).toBe(404);
    const rows = (await readAllTables(shop.it.shop.db))['labels'] as { pdf_key: unknown; customs_pdf_key: unknown }[];
    expect(rows.map((it) => [it.pdf_key, it.customs_pdf_key])).toEqual([
      [null, null],
      [null, null],
    ]);
  });
});
