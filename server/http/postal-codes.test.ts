import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { rateLimits } from '#contract/limits.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { openTestShop } from '#test/shop.ts';

const newYork = { postalCode: '10001', city: 'New York', state: 'NY' };

describeOnFastestEngine((fresh) => {
  test('returns the city and the state of a ZIP code with five or nine digits, which a browser keeps for a day', async () => {
    const visitor = (await openTestShop(fresh)).browser();
    for (const code of ['10001', '10001-2345', '%31000%31', '10001%2D2345']) {
      const { status, json, headers } = await visitor.get(`/api/postal-codes/${code}`);
      expect([status, json, headers['cache-control']], code).toEqual([200, newYork, 'private, max-age=86400']);
    }
  });

  test('answers an unknown ZIP code with 404, and any other text with 400', async () => {
    const visitor = (await openTestShop(fresh)).browser();
    const unknownResponse = await visitor.get('/api/postal-codes/00000');
    expect([unknownResponse.status, unknownResponse.json.code, unknownResponse.headers['cache-control']]).toEqual([
      404,
      'not-found',
      'no-store',
    ]);
    for (const code of [
      'abcde',
      '1000',
      '100011',
      '10001-',
      '10001-234',
      'K1A%200B1',
      '%2010001',
      '10001%0A',
      '٠١٢٣٤',
    ]) {
      const { status, json } = await visitor.get(`/api/postal-codes/${encodeURI(decodeURI(code))}`);
      expect([status, json.code, json.message], code).toEqual([
        400,
        'invalid-request',
        'Please enter a ZIP code like 10001 or 10001-2345',
      ]);
    }
  });

  test('refuses searches over the limit', async () => {
    const testShop = await openTestShop(fresh, { env: { RATE_LIMITS: 'on' } });
    const visitor = testShop.browser({ address: '198.51.100.1' });
    expect((await visitor.get('/api/postal-codes/10001')).status).toBe(200);
    await testShop.shop.db.execute(sql`update rate_counters set count = ${rateLimits['postal-code'].max}`);
    const refusedResponse = await visitor.get('/api/postal-codes/10001');
    expect([refusedResponse.status, refusedResponse.json.code]).toEqual([429, 'too-many-requests']);
  });
});
