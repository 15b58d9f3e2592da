import { expect, test } from 'vitest';
import { isLeavingPanel } from './leaves-panel.ts';

test.each([
  ['/admin', '/', true],
  ['/admin-login', '/', true],
  ['/admin/packing-slips', '/orders/KF-3XK8P', true],
  ['/admin', '/admin?tab=orders', false],
  ['/admin', '/admin-login', false],
  ['/', '/admin', false],
  ['/administration', '/', false],
  ['/upload', '/orders', false],
])('isLeavingPanel for a link from %s to %s returns %s', (from, to, leaves) => {
  expect(isLeavingPanel(from, to)).toBe(leaves);
});
