import { expect, test } from 'vitest';
import { PaymentProviderError } from '#shop/ports/card-payments.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, buyAndVerify } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

const albany = { line1: '3 Oak Street', city: 'Albany', state: 'NY', postalCode: '12207', country: 'US' };
const minneapolis = { line1: '9 Lake Road', city: 'Minneapolis', state: 'MN', postalCode: '55401', country: 'US' };

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const [order] = (await admin.get('/api/admin/orders')).json;
  const path = `/api/admin/orders/${order.id}`;
  return {
    admin,
    order,
    path,
    change: (address: object, tellCustomer = true) => admin.put(`${path}/shipping-address`, { address, tellCustomer }),
  };
}

describeOnFastestEngine((fresh) => {
  test('changes the address, shows it to the customer and emails it only if the owner wants that', async () => {
    const testShop = await openTestShop(fresh);
    const { session } = await buyFramesAsAnna(testShop);
    const { change, order } = await signInOwner(testShop);
    const response = await change(albany);
    expect(response.json).toMatchObject({
      order: { shippingAddress: albany, events: [{ kind: 'paid' }, { kind: 'address' }] },
      tax: null,
    });
    const emails = await waitAndReadEmails(testShop, 'address-changed:');
    expect(emails).toMatchObject([
      {
        to: anna.email,
        content: { shippingAddress: { name: 'Anna Keller', ...albany }, orderNumber: order.orderNumber },
      },
    ]);
    const orderResponse = await testShop.browser().get(`/api/orders/${order.orderNumber}?session=${session}`);
    expect(orderResponse.json).toMatchObject({
      shippingAddress: albany,
      history: [{ kind: 'paid' }, { kind: 'address', words: 'Shipping address changed.' }],
    });

    expect((await change(minneapolis, false)).json.order.shippingAddress).toEqual(minneapolis);
    expect(await readQueuedMails(testShop.shop.db, 'address-changed:')).toHaveLength(1);
  });

  test('changes nothing and sends no email when the new address equals the old one', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { change } = await signInOwner(testShop);
    await change(albany);
    const tablesBefore = await readAllTables(testShop.shop.db);
    expect((await change({ ...albany, line2: ' ', city: ' Albany ' })).status).toBe(200);
    const tablesAfter = await readAllTables(testShop.shop.db);
    for (const table of ['orders', 'order_events', 'audit_trail', 'mails'])
      expect(tablesAfter[table]).toEqual(tablesBefore[table]);
  });

  test('does not store the address in the history or audit trail, which outlast the buyer’s data', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { change } = await signInOwner(testShop);
    await change(albany);
    const { order_events, audit_trail } = await readAllTables(testShop.shop.db);
    expect(JSON.stringify([order_events, audit_trail])).not.toMatch(/Oak Street|Albany|12207/);
    expect(audit_trail).toContainEqual(
      expect.objectContaining({
        act: 'change-shipping-address',
        after: { changed: ['line1', 'city', 'state', 'postalCode'], tellCustomer: true },
      }),
    );
  });

  test('refuses an order that has shipped, an order without a parcel, and an incomplete address', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { admin, change, path } = await signInOwner(testShop);
    const wrongResponse = await change({ ...albany, state: 'ON', postalCode: 'twelve' });
    expect([wrongResponse.status, Object.keys(wrongResponse.json.fields)]).toEqual([
      400,
      ['address.state', 'address.postalCode'],
    ]);
    await admin.post(`${path}/shipment`, { tellAgain: false });
    expect((await change(albany)).json.code).toBe('already-shipped');
    expect((await admin.get(path)).json.shippingAddress).toEqual(anna.address);

    await buyAndVerify(testShop.browser(), { productId: 'byof', customerDetails: { ...anna, address: undefined } });
    const serviceOrder = await signInOwner(testShop);
    expect((await serviceOrder.change(albany)).json.code).toBe('nothing-to-ship');
    const addressChange = { address: albany, tellCustomer: true };
    expect((await admin.put('/api/admin/orders/none/shipping-address', addressChange)).json.code).toBe('not-found');
  });

  test('returns the sales tax at the new address, but charges and refunds nothing', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    await buyAndVerify(testShop.browser(), { customerDetails: { ...anna, address: albany } });
    const { change, order } = await signInOwner(testShop);
    expect(order.taxAmount).toBe(796);
    const { json } = await change(minneapolis);
    expect(json).toMatchObject({ order: { taxAmount: 796, totalAmount: 20_696 }, tax: { paid: 796, now: 1368 } });
  });

  test('changes the address even if the payment provider is down or does not recognize the address', async () => {
    const testShop = await openTestShop(fresh, { env: { STRIPE_TAX: 'on' } });
    await buyAndVerify(testShop.browser(), { customerDetails: { ...anna, address: albany } });
    const { change } = await signInOwner(testShop);
    testShop.shop.provider.calculateTax = () =>
      Promise.reject(new PaymentProviderError('unavailable', 'the provider is down'));
    expect((await change(minneapolis)).json).toMatchObject({
      order: { shippingAddress: minneapolis },
      tax: { paid: 796, now: null },
    });
    testShop.shop.provider.calculateTax = () => Promise.resolve(undefined);
    expect((await change(albany)).json.tax).toEqual({ paid: 796, now: null });
  });
});

describeOnPostgres((fresh) => {
  test('the shipped email contains the order’s address when the order ships while its address changes', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { admin, change, path } = await signInOwner(testShop);
    const responses = await Promise.all([
      change(albany),
      change(minneapolis),
      admin.post(`${path}/shipment`, { tellAgain: false }),
      change(albany),
    ]);
    expect(responses.filter(({ status }) => status !== 200).every(({ json }) => json.code === 'already-shipped')).toBe(
      true,
    );
    const [message] = await waitAndReadEmails(testShop, 'shipped:');
    const { shippingAddress } = (await admin.get(path)).json;
    expect(message!.content.shippingAddress).toEqual({ name: 'Anna Keller', ...shippingAddress });
  });
});
