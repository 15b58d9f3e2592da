import { expect, test } from 'vitest';
import { readContent, writeContent } from '#shop/content/content.ts';
import { describeOnFastestEngine } from '#test/database.ts';
import { openTestShop } from '#test/shop.ts';

const dayMs = 86_400_000;

describeOnFastestEngine((fresh) => {
  test('security.txt contains the contact address of Site Settings, and an expiry date within a year', async () => {
    const testShop = await openTestShop(fresh, { env: { BASE_URL: 'https://kinframe.example' } });
    const { shop, clock } = testShop;
    const site = await readContent(shop.db, 'site');
    await writeContent(shop.db, shop.clock, 'site', { ...site, contactEmail: 'anna+shop@kinframe.example' });
    for (const days of [0, 200, 400]) {
      clock.advance(days * dayMs);
      const { status, headers, text } = await testShop.browser().get('/.well-known/security.txt');
      expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
      const fields = new Map(
        text
          .trimEnd()
          .split('\n')
          .map((line) => line.split(/: (.*)/s) as [string, string]),
      );
      expect([...fields.keys()]).toEqual(['Contact', 'Expires', 'Canonical', 'Preferred-Languages']);
      expect(fields.get('Contact')).toBe('mailto:anna+shop@kinframe.example');
      expect(fields.get('Canonical')).toBe('https://kinframe.example/.well-known/security.txt');
      expect(fields.get('Expires')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const msUntilExpiry = new Date(fields.get('Expires')!).getTime() - clock.now().getTime();
      expect(msUntilExpiry).toBeGreaterThan(30 * dayMs);
      expect(msUntilExpiry).toBeLessThan(365 * dayMs);
    }
  });
});
