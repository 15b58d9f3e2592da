import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { buyFramesAsAnna, buyAndVerify, fetchFrames, uploadTo } from '#test/people.ts';
import { openTestShop, type Browser } from '#test/shop.ts';

const movePackage = (browser: Browser, from: string, to: unknown) =>
  browser.post(`/api/devices/${from}/move-package`, { toDeviceId: to });
const fetchPlaces = async (browser: Browser) =>
  (await fetchFrames(browser)).map((it) => it.usedPhotos + it.remainingPhotos);

describeOnEachEngine((fresh) => {
  test('moves an unused package between open frames of an order, and keeps the sum of places', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 3, extraPackages: 4 });
    const [first, second, third] = frames.map((frame) => frame.deviceId) as [string, string, string];
    expect(await fetchPlaces(browser)).toEqual([40, 30, 30]);
    expect((await movePackage(browser, first, third)).json).toMatchObject({ success: true });
    expect((await movePackage(browser, second, third)).status).toBe(200);
    expect(await fetchPlaces(browser)).toEqual([30, 20, 50]);
    expect((await browser.get('/api/frame-photo-limits')).json.globalTotalLimit).toBe(100);
    expect((await movePackage(browser, second, third)).json.code).toBe('no-unused-package'); // base places cannot move
    await testShop.shop.db.execute(sql`update frames set used_photos = 21 where id = ${first}`);
    expect((await movePackage(browser, first, third)).json.code).toBe('no-unused-package'); // a photo is in the package
    expect((await movePackage(browser, third, third)).json.code).toBe('not-found');
    expect(await fetchPlaces(browser)).toEqual([30, 20, 50]);
  });

  test('refuses to move a package between frames of two orders, or if a frame is finalized or refunded', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 3, extraPackages: 3 });
    const [first, second, third] = frames.map((frame) => frame.deviceId) as [string, string, string];
    await buyAndVerify(browser);
    const frameOfOtherOrder = (await fetchFrames(browser)).find(
      (frame) => !frames.some((it) => it.deviceId === frame.deviceId),
    );
    expect((await movePackage(browser, first, frameOfOtherOrder!.deviceId)).json.code).toBe('not-found');
    expect((await movePackage(testShop.browser(), first, second)).json.code).toBe('sign-in-needed');
    const strangersBrowser = testShop.browser();
    await strangersBrowser.post('/api/auth/register', {
      firstName: 'B',
      lastName: 'B',
      email: 'b@example.com',
      password: 'Garden-gate-6',
    });
    expect((await movePackage(strangersBrowser, first, second)).json.code).toBe('not-found');
    expect((await movePackage(browser, first, '')).json.code).toBe('invalid-request');
    await uploadTo(browser, first);
    await browser.post('/api/uploads/finalize', { deviceId: first });
    expect((await movePackage(browser, first, second)).json.code).toBe('frame-finalized');
    expect((await movePackage(browser, second, first)).json.code).toBe('frame-finalized');
    await testShop.shop.db.execute(sql`update frames set is_active = false where id = ${third}`);
    expect((await movePackage(browser, second, third)).json.code).toBe('frame-refunded');
  });
});

describeOnPostgres((fresh) => {
  test('keeps the sum of places when packages move in both directions between two frames during uploads', async () => {
    const testShop = await openTestShop(fresh);
    const { browser, frames } = await buyFramesAsAnna(testShop, { quantity: 2, extraPackages: 2 });
    const [first, second] = frames.map((frame) => frame.deviceId) as [string, string];
    await testShop.shop.db.execute(sql`update frames set used_photos = 20`);
    const responses = await Promise.all([
      movePackage(browser, first, second),
      uploadTo(browser, first),
      movePackage(browser, second, first),
      uploadTo(browser, second),
      movePackage(browser, first, second),
      uploadTo(browser, first),
    ]);
    for (const response of responses)
      expect([undefined, 'no-unused-package', 'photo-limit-reached'], response.text).toContain(response.json.code);
    const placesAfter = await fetchPlaces(browser);
    expect(placesAfter.reduce((sum, places) => sum + places)).toBe(60);
    for (const frame of await fetchFrames(browser)) expect(frame.remainingPhotos).toBeGreaterThanOrEqual(0);
  });
});
