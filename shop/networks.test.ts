import { expect, test } from 'vitest';
import { toNetworkPrefix } from './networks.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::9', '2001:db8:1:3::/64'],
  ['', ''],
])('counts the address %s as the network %s', (address, network) => {
  expect(toNetworkPrefix(address)).toBe(network);
});
