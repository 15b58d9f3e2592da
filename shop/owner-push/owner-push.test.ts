import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { maxPushDevices } from '#contract/owner/push.ts';
import { registerPushJobs } from '#server/jobs/push.ts';
import { describeOnFastestEngine, describeOnPostgres } from '#test/database.ts';
import { fakePushService } from '#test/fake-push-service.ts';
import { buyAndVerify } from '#test/people.ts';
import { countRows, readWaitingJobs } from '#test/rows.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';
import type { FreshDatabase } from '#test/database.ts';
import { addPushDevice } from './owner-push.ts';

const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) };
const phoneSubscription = {
  'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
};

async function openPush(fresh: FreshDatabase) {
  const push = fakePushService();
  const testShop = await openTestShop(fresh, { push });
  const owner = testShop.browser();
  await owner.post('/api/admin/auth/password', { password: adminPassword });
  const addDevice = (name: string, changed = {}) =>
    owner.call(
      'POST',
      '/api/admin/push/devices',
      { endpoint: `https://push.example/${name}`, keys, ...changed },
      phoneSubscription,
    );
  const readDevices = async () => (await owner.get('/api/admin/push')).json.devices;
  /** Runs the waiting jobs with this name. Returns the errors. */
  const runPushJob = async (name: 'announce-sale' | 'push-sale') => {
    const handlers = new Map<string, (data: never, attempt: never) => Promise<unknown>>();
    await registerPushJobs(
      { startWorkers: async (job, handler) => void handlers.set(job, handler), schedule: async () => {} },
      testShop.shop,
    );
    const errors: unknown[] = [];
    for (const { data } of await readWaitingJobs(testShop.shop.db, name))
      await handlers.get(name)!(data as never, {} as never).catch((error: unknown) => errors.push(error));
    return errors;
  };
  return { it: testShop, owner, push, add: addDevice, devices: readDevices, run: runPushJob };
}

describeOnFastestEngine((fresh) => {
  test('notifies each device of a sale with its amount and number, and without data of the buyer', async () => {
    const { it, push, add, devices, run } = await openPush(fresh);
    expect((await add('phone')).json).toMatchObject({ device: 'Safari on iPhone', lastSentAt: null });
    await add('laptop');
    await buyAndVerify(it.browser());
    const publishSpy = vi.spyOn(it.shop.live, 'publish');
    expect(await run('announce-sale')).toEqual([]);
    expect(publishSpy).toHaveBeenCalledWith('sales', 'orders', 'production');
    expect(await run('push-sale')).toEqual([]);
    const endpoints = new Set(push.sent.map((one) => one.to.endpoint));
    expect(endpoints).toEqual(new Set(['https://push.example/phone', 'https://push.example/laptop']));
    expect(push.sent).toHaveLength(2);
    const { rows } = await it.shop.db.execute<{ id: string; number: string }>(
      sql`select id, order_number as number from orders`,
    );
    const [{ id, number }] = rows as [(typeof rows)[0]];
    expect(push.sent[0]!.message).toEqual({
      title: 'New order: $199.00',
      body: `Order ${number}`,
      tag: number,
      path: `/admin?tab=orders&order=${id}`,
    });
    expect((await devices())[0].lastSentAt).toEqual(expect.any(String));
  });

  test('enqueues no notification of a sale if no device wants one', async () => {
    const { it, run } = await openPush(fresh);
    await buyAndVerify(it.browser());
    expect(await readWaitingJobs(it.shop.db, 'announce-sale')).toHaveLength(1);
    await run('announce-sale');
    expect(await readWaitingJobs(it.shop.db, 'push-sale')).toEqual([]);
  });

  test('removes a device that is gone, and keeps a device whose push service fails', async () => {
    const { it, owner, push, add, devices, run } = await openPush(fresh);
    await add('phone');
    await buyAndVerify(it.browser());
    await run('announce-sale');
    push.state.answer = 'fails';
    expect(await run('push-sale')).toHaveLength(1);
    expect(await devices()).toHaveLength(1);
    const { id } = (await devices())[0];
    const failedResponse = await owner.post(`/api/admin/push/devices/${id}/test`, {});
    expect([failedResponse.status, failedResponse.json.code]).toEqual([503, 'push-failed']);
    push.state.answer = 'gone';
    expect(await run('push-sale')).toEqual([]);
    expect(await devices()).toEqual([]);
    // The job of a device that was removed does nothing.
    push.state.answer = 'fails';
    expect(await run('push-sale')).toEqual([]);
    expect((await owner.post(`/api/admin/push/devices/${id}/test`, {})).json.code).toBe('not-found');
    await add('tablet');
    const tablet = (await devices())[0];
    push.state.answer = 'gone';
    expect((await owner.post(`/api/admin/push/devices/${tablet.id}/test`, {})).json.code).toBe('push-device-gone');
    expect(await devices()).toEqual([]);
  });

  test('sends a test notification to one device, and none after the device is removed', async () => {
    const { it, owner, push, add, devices } = await openPush(fresh);
    const { id } = (await add('phone')).json;
    const testResponse = await owner.post(`/api/admin/push/devices/${id}/test`, {});
    expect(testResponse.json.message).toBe('We sent a test notification. It arrives in a few seconds.');
    expect(push.sent).toMatchObject([{ message: { title: 'It works' } }]);
    expect((await owner.call('DELETE', `/api/admin/push/devices/${id}`)).status).toBe(200);
    expect(await devices()).toEqual([]);
    expect((await owner.call('DELETE', `/api/admin/push/devices/${id}`)).status).toBe(404);
    expect((await it.browser().get('/api/admin/push')).status).toBe(401);
  });

  test('a browser that is added again replaces its earlier entry and gets its new keys', async () => {
    const { it, add, devices } = await openPush(fresh);
    const { id } = (await add('phone')).json;
    const secondResponse = await add('phone', { keys: { ...keys, auth: 'C'.repeat(22) } });
    expect(secondResponse.json.id).toBe(id);
    expect(await devices()).toHaveLength(1);
    const { rows } = await it.shop.db.execute(sql`select auth from push_devices`);
    expect(rows).toEqual([{ auth: 'C'.repeat(22) }]);
  });

  test('refuses push addresses that are not https or not public, and malformed keys', async () => {
    const { it, add } = await openPush(fresh);
    for (const endpoint of ['http://push.example/x', 'https://localhost/x'])
      expect((await add('x', { endpoint })).json.code, endpoint).toBe('push-address-refused');
    for (const wrongValue of [
      { endpoint: 'no url' },
      { endpoint: `https://push.example/${'x'.repeat(2000)}` },
      { keys: {} },
    ])
      expect((await add('x', wrongValue)).status).toBe(400);
    expect((await add('x', { keys: { ...keys, auth: 'short' } })).status).toBe(400);
    expect(await countRows(it.shop.db, 'push_devices')).toBe(0);
  });

  test('returns the same public key each time', async () => {
    const { owner } = await openPush(fresh);
    const readPublicKey = async () => (await owner.get('/api/admin/push')).json.publicKey;
    expect(await readPublicKey()).toBe('public');
    expect(await readPublicKey()).toBe('public');
  });
});

describeOnPostgres((fresh) => {
  test('simultaneous additions never exceed the limit of devices', async () => {
    const { it, owner } = await openPush(fresh);
    const results = await Promise.allSettled(
      Array.from({ length: maxPushDevices + 5 }, (_, at) =>
        addPushDevice(
          it.shop,
          { endpoint: `https://push.example/${at}`, ...keys, device: 'Phone' },
          { requestId: `${at}` },
        ),
      ),
    );
    expect(results.filter((one) => one.status === 'fulfilled')).toHaveLength(maxPushDevices);
    const refusedResponse = await owner.post('/api/admin/push/devices', {
      endpoint: 'https://push.example/one-more',
      keys,
    });
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([409, 'too-many-push-devices']);
  });
});
