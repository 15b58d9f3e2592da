import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { build } from '../scripts/build.ts';
import { createMigratedDataFolder } from './database.ts';
import { RunningShop } from './faults/running-shop.ts';
import { baseUrl } from './shop.ts';
import { createRawClient, listPathSpellings, type RawResponse } from './spellings.ts';

beforeAll(() => build(), 600_000);

const adminKey = 'a-key-of-at-least-thirty-two-characters';
const pages = {
  public: ['/', '/faq', '/try', '/product/kinframe', '/legal/terms'],
  anyones: ['/checkout', '/customer-details', '/gift-cards', '/guides/connect-your-frame', '/no-such-page'],
  keyed: [
    '/delivery/none',
    '/film/none',
    '/cart/none',
    '/gift-cards/none',
    '/collect/none',
    '/proof/none',
    '/review/none',
    '/auth/reset-password',
    '/welcome',
  ],
  customers: ['/upload', '/orders', '/account', '/select-frame'],
  admins: ['/admin', '/admin-login', '/admin-invitation', '/admin/gift-receipt/none', '/admin/packing-slips'],
};
const comparedHeaders = [
  'cache-control',
  'content-type',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-content-type-options',
  'x-frame-options',
];
const pickComparedFields = ({ status, headers }: RawResponse) => ({
  status,
  ...Object.fromEntries(comparedHeaders.map((name) => [name, headers[name]])),
  // The script hashes of a page differ between visits.
  policy: headers['content-security-policy']?.toString().replaceAll(/'sha256-[^']+' ?/g, ''),
});

test('every spelling of a page’s address has the same guard, limits and caching, or is refused', async () => {
  const dataDir = createMigratedDataFolder(mkdtempSync(join(tmpdir(), 'kinframe-spelt-')));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const shop = await RunningShop.start(dataDir, {
    ADMIN_KEY: adminKey,
    ADMIN_ALLOWED_IPS: '192.0.2.0/24',
    TRUST_PROXY: '127.0.0.1',
  });
  onTestFinished(() => void shop.end('SIGKILL'));
  await shop.waitUntilReady();
  const { requestRaw, close } = createRawClient(shop.origin);
  onTestFinished(close);
  const createHeadersFrom = (address: string) => ({ origin: baseUrl, 'x-forwarded-for': address });
  let requestCount = 0;
  /** Pages have a rate limit per IP address, so each of the owner's requests uses another allowed address. */
  const createOwnerHeaders = () => createHeadersFrom(`192.0.2.${(requestCount += 1) % 250}`);
  const createVisitorHeaders = () => createHeadersFrom(`198.18.${(requestCount += 1) >> 8}.${requestCount & 255}`);
  const isRefused = ({ status, headers }: RawResponse) =>
    [400, 404].includes(status) && /no-store/.test(String(headers['cache-control']));
  /** Whether the response redirects to the plain address on the same host and is not cached. */
  const doesRedirectTo = ({ status, headers, text }: RawResponse, address: string) =>
    [303, 307, 308].includes(status) &&
    headers.location === address &&
    /no-store/.test(String(headers['cache-control'])) &&
    text === '';

  const foundFaults: string[] = [];
  let alike = 0;
  for (const [kind, paths] of Object.entries(pages))
    for (const path of paths) {
      await requestRaw('GET', path, createOwnerHeaders()); // the first request renders it, the next ones use the cache
      const plainResponse = await requestRaw('GET', path, createOwnerHeaders());
      for (const [spelling, target] of Object.entries(listPathSpellings(path))) {
        const variant = await requestRaw('GET', target, createOwnerHeaders());
        if (kind === 'keyed' || kind === 'admins' || kind === 'customers')
          if (!isRefused(variant) && variant.headers['referrer-policy'] !== 'no-referrer')
            foundFaults.push(`${target} (${spelling}) tells other sites its address`);
        if (kind === 'admins') {
          const visitorResponse = await requestRaw('GET', target, createVisitorHeaders());
          if (visitorResponse.status !== 403 && !isRefused(visitorResponse))
            foundFaults.push(
              `${target} (${spelling}) answers ${visitorResponse.status} at an address that is not allowed`,
            );
          const responseToKey = await requestRaw(
            'GET',
            `${target}?tab=orders&admin_key=${adminKey}`,
            createOwnerHeaders(),
          );
          if ((responseToKey.text + JSON.stringify(responseToKey.headers)).includes(adminKey))
            foundFaults.push(`${target} (${spelling}) leaves the key in an answer`);
          if (responseToKey.status !== 303 && !isRefused(responseToKey))
            foundFaults.push(`${target} (${spelling}) answers ${responseToKey.status} with the key in its address`);
        }
        if (isRefused(variant) || doesRedirectTo(variant, path)) continue;
        const [wanted, seen] = [pickComparedFields(plainResponse), pickComparedFields(variant)].map((it) =>
          JSON.stringify(it),
        );
        if (kind === 'customers' && variant.status === 303 && variant.headers.location?.startsWith('/auth?')) continue;
        if (wanted === seen) alike += 1;
        else foundFaults.push(`${target} (${spelling})\n  ${seen}\n  instead of\n  ${wanted}`);
      }
    }
  expect(foundFaults.join('\n')).toBe('');
  expect(alike).toBeGreaterThan(40);

  for (const [spelling, target] of Object.entries(listPathSpellings('//evil.example/'))) {
    const { location } = (await requestRaw('GET', target, createVisitorHeaders())).headers;
    if (location !== undefined) expect(new URL(location, baseUrl).origin, spelling).toBe(baseUrl);
  }
}, 300_000);
