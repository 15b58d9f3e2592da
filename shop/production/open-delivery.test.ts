import { expect, test, vi } from 'vitest';
import { startJobs } from '#server/jobs/jobs.ts';
import { lifetimes } from '#contract/limits.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna, fetchFrames, uploadTo } from '#test/people.ts';
import { openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('a customer can open the delivery page from their account until the delivery period ends', async () => {
    const testShop = await openTestShop(fresh, { env: { AUTO_APPROVE: 'on' } });
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    const openDelivery = (by = browser) => by.post(`/api/devices/${deviceId}/delivery-link`);
    await uploadTo(browser, deviceId);
    expect((await openDelivery()).json.code).toBe('videos-not-ready');
    expect(await fetchFrames(browser)).toMatchObject([{ videosReadyAt: null }]);
    await browser.post('/api/uploads/finalize', { deviceId });
    expect((await openDelivery()).json.code).toBe('videos-not-ready');
    await startJobs(testShop.shop);
    await vi.waitFor(
      async () => expect(await fetchFrames(browser)).toMatchObject([{ videosReadyAt: expect.any(String) }]),
      { timeout: 20_000 },
    );

    const { path } = (await openDelivery()).json;
    expect(path).toMatch(/^\/delivery\/[\w-]{43}$/);
    const { videos } = (await testShop.browser().get(`/api${path}`)).json;
    expect(videos).toHaveLength(1);
    expect((await openDelivery(testShop.browser())).json.code).toBe('sign-in-needed');
    const strangersBrowser = testShop.browser();
    const ben = { firstName: 'Ben', lastName: 'Ode', email: 'ben@example.com', password: 'Garden-gate-6' };
    await strangersBrowser.post('/api/auth/register', ben);
    expect((await openDelivery(strangersBrowser)).json.code).toBe('not-found');

    testShop.clock.advance(lifetimes.deliveryDays * 86_400_000 + 60_000);
    await browser.post('/api/auth/login', { email: 'anna@example.com', password: 'Sunflower-Field-7' });
    expect((await openDelivery()).json.code).toBe('delivery-link-invalid');
  });
});
