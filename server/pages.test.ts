import { expect, onTestFinished, test, vi } from 'vitest';
import { hash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { rateLimits } from '#contract/limits.ts';
import { refusals } from '#contract/refusals.ts';
import { createApp } from '#server/app.ts';
import { mountPages, type Pages } from '#server/pages.ts';
import { readContent, writeContent } from '#shop/content/content.ts';
import { anyEngine } from '../test/database.ts';
import { Browser, openTestShop } from '../test/shop.ts';

const pages: Pages = {
  async fetch(_request, { context }) {
    context.deliver('<p>A page</p>');
    return new Response(null);
  },
};

/** A page that says what the API answered to its one call. */
const asking = (path: string): Pages => ({
  async fetch(_request, { context }) {
    const answer = await context.fetch(path);
    context.deliver(`${answer.status} ${await answer.text()}`);
    return new Response(null, { status: answer.ok || answer.status < 429 ? 200 : 500 }); // as the router does
  },
});

anyEngine((fresh) => {
  test('a page asks the API as its visitor: from their address, through their proxy, by the limits of what can be guessed', async () => {
    const { shop } = await openTestShop(fresh, { env: { RATE_LIMITS: 'on' } });
    const visitor = async (path: string, address: string) => {
      const app = await createApp(shop, {
        servePages: (door) => mountPages(door, async () => asking(path), { withPolicy: true }),
      });
      onTestFinished(() => app.close());
      return new Browser(app, address);
    };
    const onThisMachine = { host: 'localhost:3999' };
    const looking = await visitor('/api/sandbox', '127.0.0.1');
    expect((await looking.get('/sandbox', onThisMachine)).text).toMatch(/^200 /);
    for (const mark of ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'])
      expect((await looking.get('/sandbox', { ...onThisMachine, [mark]: '1.1.1.1' })).text, mark).toMatch(/^401 /);

    const guessing = await visitor('/api/delivery/a-guess', '198.51.100.1');
    for (let i = 0; i < rateLimits['token-validation'].max; i++)
      expect((await guessing.get('/delivery/a-guess')).text).toMatch(/^404 /);
    const waiting = await guessing.get('/delivery/a-guess');
    expect([waiting.status, waiting.text]).toEqual([429, expect.stringMatching(/^429 /)]);
    expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
    const reading = await visitor('/api/user', '198.51.100.2');
    for (let i = 0; i < 3; i++) expect((await reading.get('/welcome')).text).toMatch(/^200 /);
    const counted = await shop.db.execute(sql`select 1 from rate_counters where key like '%198.51.100.2%'`);
    expect(counted.rows).toEqual([]); // what every page asks is not the visitor's doing
  });

  test('the admin’s pages are shown at allowed addresses alone, however they are spelt', async () => {
    const { shop } = await openTestShop(fresh, { env: { ADMIN_ALLOWED_IPS: '192.0.2.0/24' } });
    const app = await createApp(shop, {
      servePages: (door) => mountPages(door, async () => pages, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    for (const path of [
      '/admin',
      '/admin?tab=orders',
      '/admin/',
      '/admin-login',
      '/ADMIN',
      '/%61dmin',
      '/admin%2dlogin',
    ]) {
      const outside = await new Browser(app, '198.51.100.1').get(path);
      expect([outside.status, outside.text], path).toEqual([403, refusals['address-not-allowed'].words]);
      const inside = await new Browser(app, '192.0.2.7').get(path);
      expect(inside.status, path).toBe(200);
      expect(inside.headers, path).toMatchObject({
        'referrer-policy': 'no-referrer',
        'cache-control': 'private, no-store',
      });
    }
    expect((await new Browser(app, '198.51.100.1').get('/administration-of-photos')).status).toBe(200);
  });

  test('every page runs its own scripts alone, and Stripe’s only where Stripe takes the cards', async () => {
    const code = 'window.shop = 1';
    const withScript: Pages = {
      async fetch(_request, { context }) {
        context.deliver(`<script>${code}</script><script type="application/ld+json">{}</script><p>A page</p>`);
        return new Response(null);
      },
    };
    const stripe = {
      STRIPE_SECRET_KEY: 'sk_live_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
      BASE_URL: 'https://kinframe.example',
      RATE_LIMITS: 'on',
    };
    const own = `'self' 'sha256-${hash('sha256', code, 'base64')}'`;
    const js = 'https://js.stripe.com https://*.js.stripe.com';
    for (const [env, scripts, connects, frames] of [
      [{}, own, "'self'", "'none'"],
      [stripe, `${own} ${js}`, "'self' https://api.stripe.com", `${js} https://hooks.stripe.com`],
    ] as const) {
      const { shop } = await openTestShop(fresh, { env });
      const app = await createApp(shop, {
        servePages: (door) => mountPages(door, async () => withScript, { withPolicy: true }),
      });
      onTestFinished(() => app.close());
      for (const path of ['/', '/?from=mail', '/upload', '/admin', '/delivery/token', '/no-such-page']) {
        const { headers } = await new Browser(app, '127.0.0.1').get(path);
        const rules = Object.fromEntries(
          String(headers['content-security-policy'])
            .split('; ')
            .map((rule) => [rule.split(' ')[0], rule.slice(rule.indexOf(' ') + 1)]),
        );
        expect(rules, path).toMatchObject({
          'default-src': "'self'",
          'script-src': scripts,
          'style-src': "'self'",
          'connect-src': connects,
          'frame-src': frames,
          'object-src': "'none'",
          'base-uri': "'none'",
          'form-action': "'self'",
          'frame-ancestors': "'none'",
        });
      }
    }
  });

  test('a page that is somebody’s own is kept by no cache, and one that a key opens tells no other site its address', async () => {
    const { shop } = await openTestShop(fresh);
    const app = await createApp(shop, {
      servePages: (door) => mountPages(door, async () => pages, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const visitor = new Browser(app, '192.0.2.1');
    const keyed = [
      '/delivery/a-token',
      '/customer-upload?token=t',
      '/auth/reset-password?token=t',
      '/auth/confirm-email?token=t',
      '/complete-registration?token=t',
      '/purchase-success?session=t',
      '/welcome?session=t',
      '/orders/KF-1?session=t',
      '/upload?session=t',
      '/upload-complete?session=t',
      '/payment-success?payment_intent=pi_1&payment_intent_client_secret=t',
      '/Delivery/a-token',
      '/%64elivery/a-token',
    ];
    for (const path of [...keyed, '/select-frame', '/customer-details', '/?code=SUMMER', '/no-such-page'])
      expect((await visitor.get(path)).headers['cache-control'], path).toBe('private, no-store');
    for (const path of keyed) expect((await visitor.get(path)).headers['referrer-policy'], path).toBe('no-referrer');
  });

  test('kept and personal pages admit the sites that content takes pictures and films from, and no others', async () => {
    const { shop } = await openTestShop(fresh);
    const app = await createApp(shop, {
      servePages: (door) => mountPages(door, async () => pages, { withPolicy: true }),
    });
    onTestFinished(() => app.close());
    const visitor = new Browser(app, '192.0.2.1');
    const rules = async (path: string) => {
      const policy = String((await visitor.get(path)).headers['content-security-policy']);
      return ['img-src', 'media-src'].map((name) => policy.split('; ').find((it) => it.startsWith(`${name} `)));
    };
    const both = ['/gallery', '/gallery?from=mail', '/upload'];
    for (const path of both)
      expect(await rules(path)).toEqual(["img-src 'self' data: blob:", "media-src 'self' blob:"]);

    const [item, ...rest] = await readContent(shop.db, 'gallery');
    await writeContent(shop.db, shop.clock, 'gallery', [
      {
        ...item!,
        beforeImage: 'https://pictures.example.com/kite.jpg',
        afterVideo: 'https://films.example.com:8443/kite.mp4',
      },
      { ...rest[0]!, beforeImage: "https://evil.example;script-src'unsafe-inline'/x.jpg" },
    ]);
    const sites = 'https://films.example.com:8443 https://pictures.example.com';
    for (const path of both)
      await vi.waitFor(async () =>
        expect(await rules(path)).toEqual([`img-src 'self' data: blob: ${sites}`, `media-src 'self' blob: ${sites}`]),
      );
  });
});
