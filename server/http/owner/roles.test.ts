import { expect, test } from 'vitest';
import { panelAreas, canUse, roles, type PanelArea, type Role } from '#contract/owner/areas.ts';
import { streamedCalls } from '#contract/streamed-calls.ts';
import { createAnnaWithAllData } from '#test/all-data.ts';
import { validBodies } from '#test/bodies.ts';
import { apiOperationList } from '#test/calls.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { openTestShop, type Browser } from '#test/shop.ts';
import { signInAsOwner, signInAsStaff } from '#test/staff.ts';

/** The decision of the owner, repeated here: a change of the table needs a change of this list. */
const allowedAreas: Record<Role, PanelArea[]> = {
  fulfillment: ['own', 'orders', 'fulfillment', 'returns'],
  support: ['own', 'orders', 'returns', 'support', 'customers'],
  content: ['own', 'content', 'analytics'],
  'all-but-money': [
    'own',
    'orders',
    'fulfillment',
    'returns',
    'support',
    'customers',
    'content',
    'analytics',
    'settings',
  ],
  owner: [...panelAreas],
};

/** All calls of the panel, of the contract and outside it, with their area. */
const allCalls = [
  ...apiOperationList.map(({ route, who, area }) => ({ route, who, area })),
  ...Object.entries(streamedCalls).map(([route, { who, area }]) => ({ route, who, area })),
].filter(({ who }) => who === 'admin') as { route: string; area: PanelArea }[];

/** Calls that move money or open another way in. None of them may have an area that a role without it can use. */
const moneyPattern =
  /refund|cancellation|payment-problems|promos|promotion-uses|settings\.json|shop-settings|margin|sales-tax|analytics\/days|lists\/(orders|customers|users)\.(csv|xlsx)/;
const securityPattern = /\/staff|lists\/audit/;

/** Calls that answer with a stream that stays open, or that end the session with which the test sends the next call. */
const isSkipped = (route: string) => /admin\/live$|sessions/.test(route);

const callRoute = (browser: Browser, route: string) => {
  const [method, path] = route.split(' ') as [string, string];
  const body = (validBodies as Record<string, object>)[route];
  return browser.call(method, path.replace(/:\w+/g, 'none'), body);
};

test('each role may use exactly the areas that the table of roles shows', () => {
  for (const role of roles)
    for (const area of panelAreas)
      expect([role, area, canUse(role, area)]).toEqual([role, area, allowedAreas[role].includes(area)]);
});

test('calls about money and staff are in areas that only the owner may use', () => {
  expect(allCalls.length).toBeGreaterThan(100);
  for (const { route, area } of allCalls) {
    if (securityPattern.test(route)) expect([route, area]).toEqual([route, 'security']);
    else if (moneyPattern.test(route)) expect([route, area]).toEqual([route, 'money']);
  }
});

describeOnFastestEngine((fresh) => {
  test('each role can make every call in its areas, and no other call of the panel', { timeout: 240_000 }, async () => {
    const testShop = await openTestShop(fresh);
    for (const role of roles) {
      const { browser } = await signInAsStaff(testShop, role);
      for (const { route, area } of allCalls) {
        if (isSkipped(route)) continue;
        const { status, json, text } = await callRoute(browser, route);
        const callDescription = `${role}: ${route}: ${status} ${text.slice(0, 160)}`;
        if (canUse(role, area)) {
          expect(json?.code, callDescription).not.toBe('role-needed');
          expect(status, callDescription).not.toBe(401);
          expect(status, callDescription).toBeLessThan(500);
        } else {
          expect([status, json?.code], callDescription).toEqual([403, 'role-needed']);
          expect(json.message, callDescription).toMatch(/It needs the role .*Owner\.$/);
        }
      }
    }
  });

  test('a role without orders reads no photo, video or day sheet line of customers', async () => {
    const testShop = await openTestShop(fresh);
    const { files } = await createAnnaWithAllData(testShop);
    const owner = await signInAsOwner(testShop);
    const support = await signInAsStaff(testShop, 'support');
    const content = await signInAsStaff(testShop, 'content');
    for (const file of files.filter((path) => /^\/(uploads|videos)\/(?!all\/)/.test(path))) {
      expect((await support.browser.get(file)).status, file).toBe(200);
      expect((await content.browser.get(file)).status, file).toBe(404);
    }
    const fetchVisibleKinds = async (browser: Browser) =>
      (await browser.get('/api/admin/day-sheet')).json.lines.map(({ kind }: { kind: string }) => kind);
    const allKinds = await fetchVisibleKinds(owner);
    expect(allKinds).toContain('tickets');
    expect(await fetchVisibleKinds(support.browser)).toContain('tickets');
    expect(await fetchVisibleKinds(content.browser)).not.toContain('tickets');
    expect((await content.browser.get('/api/admin/day-sheet')).json.newOrders).toBe(0);
  });

  test('roles without money do not see the revenue, and no history of promotions', async () => {
    const testShop = await openTestShop(fresh);
    const owner = await signInAsOwner(testShop);
    const { browser } = await signInAsStaff(testShop, 'all-but-money');
    expect((await owner.get('/api/admin/stats')).json.totalRevenue).toBe(0);
    expect((await browser.get('/api/admin/stats')).json.totalRevenue).toBeNull();
    expect((await browser.get('/api/admin/content-history?section=hero')).status).toBe(200);
    const refusedResponse = await browser.get('/api/admin/content-history?section=promos');
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([403, 'role-needed']);
  });
});
