import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { waitAndReadEmails } from '#test/sent-emails.ts';
import { anna, buyFramesAsAnna, buyAndVerify } from '#test/people.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { adminPassword, openTestShop, type TestShop } from '#test/shop.ts';

async function signInOwner(it: TestShop) {
  const admin = it.browser();
  await admin.post('/api/admin/auth/password', { password: adminPassword });
  const [order] = (await admin.get('/api/admin/orders')).json;
  return {
    admin,
    order,
    setStatus: (status: string) => admin.put(`/api/admin/orders/${order.id}`, { status }),
    ship: (body: Record<string, unknown> = {}) => admin.post(`/api/admin/orders/${order.id}/shipment`, body),
    shippedMails: () => readQueuedMails(it.shop.db, 'shipped:'),
  };
}

describeOnPostgres((fresh) => {
  test('notifies the customer once when six requests ship an order at the same time', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { ship, setStatus, shippedMails } = await signInOwner(testShop);
    const responses = await Promise.all([...Array.from({ length: 5 }, () => ship()), setStatus('shipped')]);
    expect(responses.map((it) => it.status)).toEqual(Array(6).fill(200));
    expect(await shippedMails()).toHaveLength(1);
    const key = crypto.randomUUID();
    await Promise.all(Array.from({ length: 5 }, () => ship({ tellAgain: true, key })));
    expect(await shippedMails()).toHaveLength(2);
    const { order_events } = await readAllTables(testShop.shop.db);
    expect((order_events as { kind: string }[]).filter(({ kind }) => kind === 'shipped')).toHaveLength(1);
  });
});

describeOnPostgres((fresh) => {
  test('ships an order with one of two tracking numbers when two tabs ship many packages at the same time', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { ship, shippedMails, admin, order } = await signInOwner(testShop);
    const shipInTab = (trackingNumber: string) => ship({ carrier: 'UPS', trackingNumber, isFirst: true });
    const responses = await Promise.all([shipInTab('1Z1'), shipInTab('1Z2'), shipInTab('1Z1'), shipInTab('1Z2')]);
    const sentTrackingNumber = (await admin.get(`/api/admin/orders/${order.id}`)).json.parcel.trackingNumber;
    expect(responses.map(({ status, json }) => [status, json.code])).toEqual(
      ['1Z1', '1Z2', '1Z1', '1Z2'].map((number) =>
        number === sentTrackingNumber ? [200, undefined] : [409, 'package-sent'],
      ),
    );
    expect((await shippedMails()).map((mail) => mail.content.tracking.number)).toEqual([sentTrackingNumber]);
  });
});

describeOnFastestEngine((fresh) => {
  test('finds orders by a list of numbers, says what is not ready in each, and leaves out unknown numbers', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { admin, order } = await signInOwner(testShop);
    const readChecks = (numbers: string) => admin.get(`/api/admin/shipping-checks?numbers=${numbers}`);
    expect((await readChecks(`${order.orderNumber},KF-2222-2222,${order.orderNumber}`)).json).toMatchObject([
      { order: { id: order.id }, check: { isEmailProven: false, frames: [{ isFinalized: false }] } },
    ]);
    expect((await readChecks('')).json).toEqual([]);
    expect((await readChecks(Array(101).fill('KF-2').join(','))).json).toMatchObject({ code: 'invalid-request' });
  });

  test('ships a parcel with its tracking number, emails it to the customer and shows it in the order', async () => {
    const testShop = await openTestShop(fresh);
    const { session } = await buyFramesAsAnna(testShop, { quantity: 2 });
    const { ship, order } = await signInOwner(testShop);
    const response = await ship({ carrier: ' UPS ', trackingNumber: '1Z 999 AA1' });
    expect(response.json).toMatchObject({
      orderStatus: 'shipped',
      parcel: { carrier: 'UPS', trackingNumber: '1Z 999 AA1' },
      events: [{ kind: 'paid' }, { kind: 'shipped', words: 'Shipped with UPS, 1Z 999 AA1.' }],
    });
    const [message] = await waitAndReadEmails(testShop, 'shipped:');
    expect(message).toMatchObject({
      to: anna.email,
      content: {
        frameCount: 2,
        shippingAddress: { name: 'Anna Keller', line1: '12 Linden Street' },
        tracking: { carrier: 'UPS', number: '1Z 999 AA1', url: 'https://www.ups.com/track?tracknum=1Z999AA1' },
        orderUrl: expect.stringMatching(/\/orders\/KF-[\w-]+\?session=/),
      },
    });
    const { from, to } = message!.content.estimatedDelivery;
    expect(from < to).toBe(true);
    const [seen] = (await testShop.browser().get(`/api/order-summary?session=${session}`)).json.orders;
    expect(seen).toMatchObject({ status: 'shipped', parcel: { carrier: 'UPS', trackingNumber: '1Z 999 AA1' } });
    expect((await readAllTables(testShop.shop.db))['audit_trail']).toContainEqual(
      expect.objectContaining({
        act: 'ship-order',
        subject_id: order.id,
        before: { status: 'pending', trackingCarrier: null, trackingNumber: null },
        after: { status: 'shipped', trackingCarrier: 'UPS', trackingNumber: '1Z 999 AA1', tellAgain: false },
      }),
    );
  });

  test.each(['by its status', 'with its package'])(
    'an order that ships %s without an email gets no email later either, unless the owner asks for it',
    async (how) => {
      const testShop = await openTestShop(fresh);
      await buyFramesAsAnna(testShop);
      const { admin, order, ship, setStatus, shippedMails } = await signInOwner(testShop);
      const withoutMail = { tellCustomer: false };
      const shipResponse =
        how === 'by its status'
          ? await admin.put(`/api/admin/orders/${order.id}`, { status: 'shipped', ...withoutMail })
          : await ship({ carrier: 'UPS', trackingNumber: '1Z1', isFirst: true, ...withoutMail });
      expect([shipResponse.status, shipResponse.json.orderStatus]).toEqual([200, 'shipped']);
      for (const status of ['pending', 'shipped']) await setStatus(status);
      await ship({ carrier: 'UPS', trackingNumber: '1Z1', isFirst: how !== 'by its status' });
      expect(await shippedMails()).toEqual([]);
      const auditTrail = (await readAllTables(testShop.shop.db))['audit_trail'] as { after: object | null }[];
      expect(auditTrail.filter(({ after }) => after && 'tellCustomer' in after)).toMatchObject([
        { after: withoutMail },
      ]);
      expect((await readAllTables(testShop.shop.db))['order_events']).toContainEqual(
        expect.objectContaining({ kind: 'shipped', order_id: order.id }),
      );
      await ship({ carrier: 'UPS', trackingNumber: '1Z1', tellAgain: true });
      expect(await shippedMails()).toHaveLength(1);
    },
  );

  test('emails the customer once even if the status changes back and forth, and again only on request', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { ship, setStatus, shippedMails } = await signInOwner(testShop);
    const firstShippedAt = (await setStatus('shipped')).json.parcel.shippedAt;
    testShop.clock.advance(60_000);
    for (const status of ['pending', 'shipped', 'completed', 'shipped'])
      expect((await setStatus(status)).status).toBe(200);
    expect((await ship()).json.parcel.shippedAt).toBe(firstShippedAt);
    expect(await shippedMails()).toHaveLength(1);
    const correctedResponse = await ship({ carrier: 'Uncle Bob', trackingNumber: '7' });
    expect(correctedResponse.json.events.at(-1).words).toBe('Package corrected: Uncle Bob, 7.');
    expect(await shippedMails()).toHaveLength(1);
    await ship({ carrier: 'Uncle Bob', trackingNumber: '7', tellAgain: true });
    await ship({ carrier: 'Uncle Bob', trackingNumber: '7', tellAgain: true });
    const mails = await shippedMails();
    expect(mails).toHaveLength(3);
    expect(mails.at(-1)!.content.tracking).toEqual({ carrier: 'Uncle Bob', number: '7' });
  });

  test('refuses the second of two simultaneous edits of the notes, and returns both versions', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { admin, order } = await signInOwner(testShop);
    const saveNote = (body: object) => admin.put(`/api/admin/orders/${order.id}`, body);
    expect((await saveNote({ notes: 'Call on Monday', notesBefore: '' })).json.notes).toBe('Call on Monday');
    const tablesBefore = await readAllTables(testShop.shop.db);
    const secondResponse = await saveNote({ notes: 'Call on Friday', notesBefore: '', status: 'processing' });
    expect([secondResponse.status, secondResponse.json.code]).toEqual([409, 'notes-changed']);
    expect(secondResponse.json.details).toEqual({ yours: 'Call on Friday', theirs: 'Call on Monday' });
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
    // The notes are stored in three cases: they equal the stored notes, the owner chose them over the stored notes, or
    // the request has no `notesBefore`.
    for (const body of [
      { notes: 'Call on Monday', notesBefore: '' },
      { notes: 'Call on Friday', notesBefore: 'Call on Monday' },
      { notes: 'Called' },
    ])
      expect((await saveNote(body)).json).toMatchObject({ notes: body.notes });
    // A request that changes only the status does not change the notes.
    expect((await saveNote({ status: 'processing', notesBefore: '' })).json).toMatchObject({ notes: 'Called' });
  });

  test('sets a byof order without a parcel to shipped, and sends no email about a parcel', async () => {
    const testShop = await openTestShop(fresh);
    await buyAndVerify(testShop.browser(), { productId: 'byof', customerDetails: { ...anna, address: undefined } });
    const { ship, setStatus, shippedMails, order } = await signInOwner(testShop);
    expect(order).toMatchObject({ isShippable: false, parcel: null });
    expect((await ship()).json).toMatchObject({ code: 'nothing-to-ship' });
    expect((await setStatus('shipped')).json).toMatchObject({
      orderStatus: 'shipped',
      parcel: null,
      events: [{ kind: 'paid' }, { kind: 'status', words: 'Status set to shipped.' }],
    });
    expect(await shippedMails()).toEqual([]);
  });

  test('refuses an invalid parcel with the name of the field, and shipments by anyone but the owner', async () => {
    const testShop = await openTestShop(fresh);
    const { browser } = await buyFramesAsAnna(testShop);
    const { ship, admin, order } = await signInOwner(testShop);
    const tablesBefore = await readAllTables(testShop.shop.db);
    for (const [body, field] of [
      [{ trackingNumber: '1Z999' }, 'carrier'],
      [{ carrier: ' ', trackingNumber: '1Z999' }, 'carrier'],
      [{ carrier: 'x'.repeat(61) }, 'carrier'],
      [{ carrier: 'UPS', trackingNumber: 'javascript:alert(1)' }, 'trackingNumber'],
      [{ carrier: 'UPS', trackingNumber: '1'.repeat(61) }, 'trackingNumber'],
      [{ carrier: 7 }, 'carrier'],
      [{ tellAgain: 'yes' }, 'tellAgain'],
      [{ key: 'x' }, 'key'],
    ] as const)
      expect((await ship(body)).json, JSON.stringify(body)).toMatchObject({
        code: 'invalid-request',
        fields: { [field]: expect.any(String) },
      });
    expect((await admin.post('/api/admin/orders/none/shipment', {})).status).toBe(404);
    expect((await browser.post(`/api/admin/orders/${order.id}/shipment`, {})).json.code).toBe('admin-needed');
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });

  test('rolls a change back when its row in the audit trail cannot be written', async () => {
    const testShop = await openTestShop(fresh);
    await buyFramesAsAnna(testShop);
    const { ship, setStatus, admin, order } = await signInOwner(testShop);
    const tablesBefore = await readAllTables(testShop.shop.db);
    await testShop.shop.db.execute(
      sql`alter table audit_trail add constraint full_trail check (act not like '%-order')`,
    );
    expect((await ship()).status).toBe(500);
    expect((await setStatus('completed')).status).toBe(500);
    expect((await admin.post(`/api/admin/orders/${order.id}/refunds`, { reason: 'A test' })).status).toBe(500);
    expect(await readAllTables(testShop.shop.db)).toEqual(tablesBefore);
  });
});
