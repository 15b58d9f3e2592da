import { expect, test } from 'vitest';
import { leavesPanel } from './leaves-panel.ts';

test.each([
  ['/admin', '/', true],
  ['/admin-login', '/', true],
  ['/admin/packing-slips', '/orders/KF-3XK8P', true],
  ['/admin', '/admin?tab=orders', false],
  ['/admin', '/admin-login', false],
  ['/', '/admin', false],
  ['/administration', '/', false],
  ['/upload', '/orders', false],
])('leavesPanel for a link from %s to %s returns %s', (from, to, leaves) => {
  expect(leavesPanel(from, to)).toBe(leaves);
});
