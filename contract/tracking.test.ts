import { expect, test } from 'vitest';
import { trackableCarriers, trackingUrl } from './tracking.ts';

test('returns the tracking page of every known carrier, regardless of how the number was typed', () => {
  for (const carrier of trackableCarriers) {
    const url = new URL(trackingUrl(carrier, '1Z 999-AA1')!);
    expect(url.protocol).toBe('https:');
    expect(url.href).toContain('=1Z999AA1');
  }
  expect(trackingUrl(' ups ', '1Z999AA1')).toBe('https://www.ups.com/track?tracknum=1Z999AA1');
  expect(trackingUrl('UPS', '"><script>&x=1')).not.toMatch(/["<>]|&x/);
});

test('returns no link without a number, without a carrier or for an unknown carrier', () => {
  for (const [carrier, number] of [
    ['UPS', null],
    ['UPS', ''],
    [null, '1Z999AA1'],
    ['Uncle Bob’s van', '1Z999AA1'],
    ['constructor', '1'],
  ] as const)
    expect(trackingUrl(carrier, number)).toBeUndefined();
});
