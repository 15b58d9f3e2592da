import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fakeCustomsPdf, fakePdf, startFakeEasyPost } from '#test/fake-easypost.ts';
import type { LabelService } from '#shop/ports/label-service.ts';
import { createEasyPost } from './easypost.ts';

const senderAddress = {
  name: 'Kinframe',
  street1: '1 Main St',
  city: 'Portland',
  state: 'ME',
  zip: '04101',
  country: 'US',
};
const recipientAddress = {
  name: 'Anna Keller',
  street1: '2 Mill Lane',
  street2: 'Apt 4',
  city: 'Boston',
  state: 'MA',
  zip: '02110',
  country: 'US',
  phone: '+16175550142',
};
const canadianAddress = { ...recipientAddress, city: 'Ottawa', state: 'ON', zip: 'K1A 0B1', country: 'CA' };
const customs = {
  description: 'Digital picture frame',
  quantity: 3,
  valueCents: 18_905,
  weight: 15.1,
  hsTariffNumber: '852859',
  originCountry: 'CN',
  signer: 'Ada Owner',
};
const parcel = { weight: 48, length: 14, width: 11, height: 4 };

async function openFake(over: { apiKey?: string; webhookSecret?: undefined } = {}) {
  const fake = await startFakeEasyPost();
  onTestFinished(() => fake.close());
  const settings = { apiBase: fake.apiBase, apiKey: fake.apiKey, webhookSecret: fake.webhookSecret, timeoutMs: 500 };
  return { fake, labels: createEasyPost({ ...settings, ...over }) };
}
const catchFailure = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: { failure?: string; message: string }) => `${error.failure}: ${error.message}`,
  );
const buyGroundLabel = (labels: LabelService, shipmentId: string) =>
  labels.buy(shipmentId, `rate_ground_${shipmentId}`);

test('quotes the rates, cheapest first, and sends no email address', async () => {
  const { fake, labels } = await openFake();
  const quote = await labels.quote(senderAddress, recipientAddress, parcel);
  expect(quote).toEqual({
    shipmentId: 'shp_1',
    rates: [
      { id: 'rate_ground_shp_1', carrier: 'USPS', service: 'Ground Advantage', amountCents: 825, days: 3 },
      { id: 'rate_ups_shp_1', carrier: 'UPS', service: 'Ground', amountCents: 1040, days: undefined },
      { id: 'rate_priority_shp_1', carrier: 'USPS', service: 'Priority', amountCents: 1285, days: 2 },
    ],
    warnings: ['FedEx: No account'],
  });
  expect(fake.bodies).toEqual([
    { verify: true, address: recipientAddress },
    {
      shipment: {
        to_address: { id: 'adr_1' },
        from_address: senderAddress,
        parcel,
        options: { label_format: 'PDF', label_size: '4x6' },
      },
    },
  ]);
});

test('asks for the rates to Canada with the customs form', async () => {
  const { fake, labels } = await openFake();
  expect(await catchFailure(labels.quote(senderAddress, canadianAddress, parcel))).toBe(
    'refused: Customs info is required for this shipment',
  );
  const { rates } = await labels.quote(senderAddress, canadianAddress, parcel, customs);
  expect(rates).toHaveLength(3);
  const customsItem = {
    description: 'Digital picture frame',
    quantity: 3,
    value: 567.15,
    currency: 'USD',
    weight: 45.3,
    hs_tariff_number: '852859',
    origin_country: 'CN',
  };
  const customsInfo = {
    contents_type: 'merchandise',
    contents_explanation: 'Digital picture frame',
    restriction_type: 'none',
    non_delivery_option: 'return',
    eel_pfc: 'NOEEI 30.36',
    customs_certify: true,
    customs_signer: 'Ada Owner',
    customs_items: [customsItem],
  };
  expect(fake.bodies.at(-1)).toEqual({
    shipment: {
      to_address: { id: 'adr_3' },
      from_address: senderAddress,
      parcel,
      customs_info: customsInfo,
      options: { label_format: 'PDF', label_size: '4x6' },
    },
  });
  await labels.quote(senderAddress, canadianAddress, parcel, { ...customs, hsTariffNumber: '' });
  expect(JSON.stringify(fake.bodies.at(-1))).not.toContain('hs_tariff_number');
});

test('says why carriers refuse a customs form', async () => {
  const { fake, labels } = await openFake();
  fake.customsProblem = 'Invalid HS tariff number';
  const { rates, warnings } = await labels.quote(senderAddress, canadianAddress, parcel, customs);
  expect([rates, warnings]).toEqual([[], ['USPS: Invalid HS tariff number', 'FedEx: No account']]);
});

test('downloads the customs form if the carrier has a separate one', async () => {
  const { fake, labels } = await openFake();
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-label-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'customs.pdf');
  const withoutForm = await labels.quote(senderAddress, canadianAddress, parcel, customs);
  await buyGroundLabel(labels, withoutForm.shipmentId);
  expect(await labels.saveCustomsPdf(withoutForm.shipmentId, path)).toBe(false);
  expect(existsSync(path)).toBe(false);
  const { shipmentId } = await labels.quote(senderAddress, canadianAddress, parcel, customs);
  await labels.buy(shipmentId, `rate_ups_${shipmentId}`);
  expect(await labels.saveCustomsPdf(shipmentId, path)).toBe(true);
  expect(readFileSync(path)).toEqual(fakeCustomsPdf);
  rmSync(path);
  fake.filesOrigin = 'http://127.0.0.1:9';
  expect(await catchFailure(labels.saveCustomsPdf(shipmentId, path))).toMatch(/^unsure: /);
  expect(existsSync(path)).toBe(false);
});

test('warns about an address that cannot be delivered', async () => {
  const { fake, labels } = await openFake();
  fake.addressProblem = 'Address not found';
  expect((await labels.quote(senderAddress, recipientAddress, parcel)).warnings).toEqual([
    'Address not found',
    'FedEx: No account',
  ]);
});

test('buys a label once: a second purchase returns the first one', async () => {
  const { fake, labels } = await openFake();
  const { shipmentId } = await labels.quote(senderAddress, recipientAddress, parcel);
  expect((await labels.find(shipmentId)).label).toBeUndefined();
  const boughtLabel = {
    label: {
      carrier: 'USPS',
      service: 'Ground Advantage',
      amountCents: 825,
      trackingNumber: '9405500208303109880001',
      trackerId: 'trk_1',
    },
    refund: 'none',
  };
  expect(await buyGroundLabel(labels, shipmentId)).toEqual(boughtLabel);
  expect(await labels.buy(shipmentId, `rate_priority_${shipmentId}`)).toEqual(boughtLabel);
  expect(await labels.find(shipmentId)).toEqual(boughtLabel);
  expect(fake.purchases).toBe(1);
});

test.each([
  [{ status: 402, code: 'INSUFFICIENT_FUNDS', message: 'Insufficient funds.' }, 'no-money: Insufficient funds'],
  [{ status: 422, code: 'SHIPMENT.POSTAGE.FAILURE', message: 'Bad address' }, 'refused: Bad address'],
  [{ status: 422, code: 'SHIPMENT.POSTAGE.TIMED_OUT', message: 'Timed out' }, 'unsure: Timed out'],
  [{ status: 429, code: 'RATE_LIMITED', message: 'Too many requests' }, 'busy: Too many requests'],
  [{ status: 500, code: 'INTERNAL_SERVER_ERROR', message: 'Sorry' }, 'unsure: Sorry'],
])('explains the error %j', async (answer, words) => {
  const { fake, labels } = await openFake();
  const { shipmentId } = await labels.quote(senderAddress, recipientAddress, parcel);
  fake.trouble.push({ call: '/buy', answer });
  expect(await catchFailure(buyGroundLabel(labels, shipmentId))).toBe(words);
  expect(fake.purchases).toBe(0);
});

test.each(['lost', 'nothing', 'html'] as const)('a purchase fails as unsure if the response is %s', async (answer) => {
  const { fake, labels } = await openFake();
  const { shipmentId } = await labels.quote(senderAddress, recipientAddress, parcel);
  fake.trouble.push({ call: '/buy', answer });
  expect(await catchFailure(buyGroundLabel(labels, shipmentId))).toMatch(/^unsure: /);
  expect((await labels.find(shipmentId)).label !== undefined).toBe(answer === 'lost');
  expect(fake.purchases).toBe(answer === 'lost' ? 1 : 0);
});

test('reports that EasyPost refused the API key', async () => {
  const { labels } = await openFake({ apiKey: 'EZTKwrong' });
  expect(await catchFailure(labels.check())).toBe('refused: EasyPost did not accept the key of this shop');
});

test.each([
  ['submitted', 'pending'],
  ['refunded', 'refunded'],
  ['rejected', 'refused'],
  ['not_applicable', 'refused'],
])('reads the refund status %s', async (status, refund) => {
  const { fake, labels } = await openFake();
  fake.refundStatus = status;
  const { shipmentId } = await labels.quote(senderAddress, recipientAddress, parcel);
  expect(await catchFailure(labels.refund(shipmentId))).toBe('refused: The shipment has no label');
  await buyGroundLabel(labels, shipmentId);
  expect((await labels.refund(shipmentId)).refund).toBe(refund);
  expect((await labels.find(shipmentId)).refund).toBe(refund);
});

test('downloads the PDF of a label only from a public address', async () => {
  const { fake, labels } = await openFake();
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-label-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'label.pdf');
  const { shipmentId } = await labels.quote(senderAddress, recipientAddress, parcel);
  await buyGroundLabel(labels, shipmentId);
  await labels.savePdf(shipmentId, path);
  expect(readFileSync(path)).toEqual(fakePdf);
  rmSync(path);
  const otherFakeEasyPost = await startFakeEasyPost();
  onTestFinished(() => otherFakeEasyPost.close());
  fake.filesOrigin = otherFakeEasyPost.apiBase;
  expect(await catchFailure(labels.savePdf(shipmentId, path))).toMatch(/^unsure: /);
  expect(existsSync(path)).toBe(false);
});

test('reads a delivered package from a signed call', async () => {
  const { fake, labels } = await openFake();
  const deliveredAt = new Date('2026-12-03T15:04:05Z');
  const body = fake.trackerEvent('shp_1', 'delivered', deliveredAt);
  expect(labels.readWebhook(Buffer.from(body), fake.sign(body))).toEqual({
    trackerId: 'trk_1',
    shipmentId: 'shp_1',
    deliveredAt: deliveredAt,
  });
  const otherEvent = fake.trackerEvent('shp_1', 'in_transit', deliveredAt);
  expect(labels.readWebhook(Buffer.from(otherEvent), fake.sign(otherEvent))).toBe('other');
  const batch = JSON.stringify({ description: 'batch.updated', result: { id: 'batch_1' } });
  expect(labels.readWebhook(Buffer.from(batch), fake.sign(batch))).toBe('other');
});

test('refuses a call that is unsigned, forged or changed, and every call without a secret', async () => {
  const { fake, labels } = await openFake();
  const body = fake.trackerEvent('shp_1', 'delivered');
  const signedHeaders = fake.sign(body);
  expect(labels.readWebhook(Buffer.from(body), {})).toBe('forged');
  expect(labels.readWebhook(Buffer.from(body), { 'x-hmac-signature': 'hmac-sha256-hex=00' })).toBe('forged');
  expect(labels.readWebhook(Buffer.from(body.replace('shp_1', 'shp_2')), signedHeaders)).toBe('forged');
  expect(labels.readWebhook(Buffer.from('not json'), signedHeaders)).toBe('forged');
  const { labels: without } = await openFake({ webhookSecret: undefined });
  expect(without.readWebhook(Buffer.from(body), signedHeaders)).toBe('forged');
});
