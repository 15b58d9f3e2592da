import { expect, test } from 'vitest';
import { sampleFramePayment } from '../card-payments.suite.ts';
import { describeOnEachEngine } from '#test/database.ts';
import type { TaxRequest } from '#shop/ports/card-payments.ts';
import { findTaxRates } from './tax-rates.ts';
import { createSandboxTestShop } from './test-shop.ts';

const ontarioRequest: TaxRequest = {
  currency: 'usd',
  lines: [
    { reference: 'frame', kind: 'goods', quantity: 1, amountCents: 19_900 },
    { reference: 'extra', kind: 'service', quantity: 1, amountCents: 999 },
  ],
  address: { country: 'CA', state: 'ON', postalCode: 'K1A 0B1', city: 'Ottawa', line1: '1 Wellington St' },
  addressSource: 'shipping',
};
const createRequestAt = (address: TaxRequest['address']): TaxRequest => ({
  ...ontarioRequest,
  address,
  addressSource: 'billing',
});

describeOnEachEngine((fresh) => {
  test('calculates tax for each region and line, and rounds each line separately', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const { payments } = shop;
    const calculated = await payments.calculateTax(ontarioRequest);
    expect(calculated).toEqual({
      id: expect.stringMatching(/^taxcalc_\w{24}$/),
      taxCents: 2587 + 130,
      rate: '13',
      jurisdiction: 'Ontario',
    });
    expect((await shop.call('GET', `/v1/tax/calculations/${calculated!.id}`)).body).toMatchObject({
      object: 'tax.calculation',
      amount_total: 20_899 + 2717,
      tax_amount_exclusive: 2717,
      customer_details: { address_source: 'shipping', address: { postal_code: 'K1A 0B1', line2: null } },
    });
    // Quebec has two taxes, one of the country and one of the province.
    expect(await payments.calculateTax(createRequestAt({ country: 'CA', postalCode: 'H2X 1Y4' }))).toMatchObject({
      taxCents: 995 + 50 + 1985 + 100,
      rate: '14.975',
      jurisdiction: 'Quebec',
    });
    expect(await payments.calculateTax(createRequestAt({ country: 'CA', postalCode: 'T2P 2M5' }))).toMatchObject({
      rate: '5',
      jurisdiction: 'Canada',
    });
    expect(await payments.calculateTax(createRequestAt({ country: 'US', postalCode: '55401' }))).toMatchObject({
      taxCents: 1368 + 69,
      rate: '6.875',
      jurisdiction: 'Minnesota',
    });
    expect(await payments.calculateTax(createRequestAt({ country: 'US', postalCode: '97201' }))).toMatchObject({
      taxCents: 0,
      rate: '0',
      jurisdiction: null,
    });
  });

  test('returns no tax for an unknown place', async () => {
    const { payments } = createSandboxTestShop((await fresh()).db);
    for (const address of [
      { country: 'US', postalCode: '00000' },
      { country: 'US', postalCode: '' },
      { country: 'US' },
      { country: 'CA', postalCode: 'Z1A 0B1' },
      { country: 'DE', postalCode: '10115' },
    ])
      expect(await payments.calculateTax(createRequestAt(address)), JSON.stringify(address)).toBeUndefined();
  });

  test('a paid intent records its tax once, and a refund reverses it', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const { payments } = shop;
    const { id: taxCalculationId } = (await payments.calculateTax(ontarioRequest))!;
    const [first, second, plain] = [
      await payments.createIntent({ ...sampleFramePayment, taxCalculationId }, 'order-1'),
      await payments.createIntent({ ...sampleFramePayment, taxCalculationId }, 'order-2'),
      await payments.createIntent(sampleFramePayment, 'order-3'),
    ];
    const findAssociationOf = (intent: { id: string }) =>
      shop.call('GET', '/v1/tax/associations/find', { payment_intent: intent.id });
    expect((await findAssociationOf(first)).status).toBe(404);
    for (const intent of [first, second, plain]) await shop.pay(intent, 'pays');
    await payments.refund({ intentId: first.id, amountCents: 500 }, 'refund-1');

    const { body } = await findAssociationOf(first);
    expect(body).toMatchObject({
      object: 'tax.association',
      calculation: taxCalculationId,
      tax_transaction_attempts: [{ source: first.id, status: 'committed' }, { status: 'committed' }],
    });
    const [paid, refunded] = body.tax_transaction_attempts as { source: string; committed: { transaction: string } }[];
    const readTransaction = async (id: string) => (await shop.call('GET', `/v1/tax/transactions/${id}`)).body;
    expect(await readTransaction(paid!.committed.transaction)).toMatchObject({
      object: 'tax.transaction',
      type: 'transaction',
      reference: first.id,
    });
    expect(await readTransaction(refunded!.committed.transaction)).toMatchObject({
      type: 'reversal',
      reference: refunded!.source,
      reversal: { original_transaction: paid!.committed.transaction },
    });
    expect((await findAssociationOf(second)).body.tax_transaction_attempts).toMatchObject([
      { status: 'errored', errored: { reason: 'another_payment_associated_with_calculation' } },
    ]);
    expect((await findAssociationOf(plain)).status).toBe(404);
  });

  test('refuses an intent with an unknown tax calculation', async () => {
    const { payments } = createSandboxTestShop((await fresh()).db);
    await expect(
      payments.createIntent({ ...sampleFramePayment, taxCalculationId: 'taxcalc_none' }, 'order-1'),
    ).rejects.toMatchObject({ reason: 'not-found' });
  });

  test('invalid parameters are refused with Stripe’s messages', async () => {
    const shop = createSandboxTestShop((await fresh()).db);
    const validParams = {
      currency: 'usd',
      'line_items[0][amount]': '100',
      'line_items[0][reference]': 'a',
      'customer_details[address][country]': 'US',
      'customer_details[address][postal_code]': '10001',
      'customer_details[address_source]': 'shipping',
    };
    expect((await shop.call('POST', '/v1/tax/calculations', validParams)).body).toMatchObject({
      tax_amount_exclusive: 4,
    });
    const invalidParams: [Record<string, string>, string][] = [
      [{ currency: 'eur' }, 'Invalid currency'],
      [{ 'line_items[0][amount]': '-1' }, 'greater than or equal to 0'],
      [{ 'line_items[0][amount]': '1.5' }, 'Invalid integer'],
      [{ 'line_items[0][tax_behavior]': 'inclusive' }, 'Invalid tax_behavior'],
      [{ 'line_items[0][tax_code]': 'books' }, 'No such tax code'],
      [{ 'line_items[0][colour]': 'red' }, 'Received unknown parameter: line_items[0][colour]'],
      [{ 'line_items[1][amount]': '5', 'line_items[1][reference]': 'a' }, 'must be unique'],
      [{ 'line_items[x][amount]': '5' }, 'line_items'],
      [{ 'customer_details[address_source]': 'guess' }, 'address_source'],
      [{ hooks: 'x' }, 'Received unknown parameter: hooks'],
      [{ 'customer_details[address][postal_code]': '00000' }, "could not determine the customer's tax location"],
    ];
    for (const [change, expected] of invalidParams) {
      const { status, body } = await shop.call('POST', '/v1/tax/calculations', { ...validParams, ...change });
      expect([status, body.error.message], expected).toEqual([400, expect.stringContaining(expected)]);
    }
    const paramsWithoutLines = Object.fromEntries(
      Object.entries(validParams).filter(([name]) => !name.startsWith('line_items')),
    );
    expect((await shop.call('POST', '/v1/tax/calculations', paramsWithoutLines)).body.error.code).toBe(
      'parameter_missing',
    );
  });
});

test.each([
  ['00501', 'NY'],
  ['02139', 'MA'],
  ['20001', 'DC'],
  ['60601', 'IL'],
  ['73301', 'TX'],
  ['74103', 'OK'],
  ['90210', 'CA'],
  ['99801', 'AK'],
  ['42901', undefined],
])('the ZIP code %s is in %s', (postal_code, state) => {
  expect(findTaxRates({ country: 'US', postal_code })?.region).toBe(state);
});
