import { expect, test } from 'vitest';
import { dayAfter, toShopDay } from '#contract/calendar.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { adminPassword, openTestShop } from '#test/shop.ts';

describeOnFastestEngine((fresh) => {
  test('the owner’s days and vacation change estimates and pages, but an environment variable has priority', async () => {
    const testShop = await openTestShop(fresh, { env: { TRANSIT_DAYS: '4' } });
    const [admin, visitor] = [testShop.browser(), testShop.browser()];
    await admin.post('/api/admin/auth/password', { password: adminPassword });
    const readEstimate = async () => (await visitor.get('/api/delivery-estimate')).json;
    const readShownTimes = async () => (await visitor.get('/data/shipping.json')).json;
    expect(await readShownTimes()).toEqual({ handlingDays: 3, transitDays: 4, vacation: null });
    expect((await readEstimate()).businessDays).toBe(7);
    const putTimes = (changed: object) =>
      admin.put('/api/admin/content/shipping.json', {
        shipsOn: [1, 2, 3, 4, 5],
        vacationFrom: '',
        vacationTo: '',
        vacationNote: '',
        ...changed,
      });
    const today = toShopDay(testShop.clock.now());
    const vacationSettings = {
      vacationFrom: today,
      vacationTo: dayAfter(today, 20),
      vacationNote: 'We are at the lake.',
    };
    expect((await putTimes({ ...vacationSettings, handlingDays: 6, transitDays: 9 })).status).toBe(200);
    expect(await readShownTimes()).toMatchObject({
      handlingDays: 6,
      transitDays: 4,
      vacation: { from: today, to: dayAfter(today, 20), note: 'We are at the lake.' },
    });
    const { from, businessDays } = await readEstimate();
    expect(businessDays).toBe(10);
    expect(from > dayAfter(today, 20)).toBe(true);
    expect((await admin.get('/api/admin/shipping-settings')).json).toEqual({
      setByServer: { transitDays: 4 },
      inUse: { handlingDays: 6, transitDays: 4 },
    });
    for (const wrongValue of [
      { vacationFrom: today, vacationTo: dayAfter(today, -1) },
      { vacationFrom: today },
      { vacationFrom: today, vacationTo: '2026-02-30' },
      { vacationFrom: today, vacationTo: dayAfter(today, 400) },
      { shipsOn: [] },
      { shipsOn: [7] },
      { handlingDays: -1 },
    ])
      expect((await putTimes(wrongValue)).status, JSON.stringify(wrongValue)).toBe(400);
    testShop.clock.advance(21 * 86_400_000);
    expect(await readShownTimes()).toMatchObject({ vacation: null });
  });
});
