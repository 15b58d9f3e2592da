import { expect, test } from 'vitest';
import { rememberAdminPath, takeAdminPath } from './return-path.ts';

test.each(['/admin?tab=users', '/admin/gift-receipt/o1'])('signing in to the panel leads to %s, once', (path) => {
  rememberAdminPath(path);
  expect(takeAdminPath()).toBe(path);
  expect(takeAdminPath()).toBeUndefined();
});

test.each(['https://evil.example/admin?', '//evil.example', '/upload', '/administration'])('never to %s', (path) => {
  rememberAdminPath(path);
  expect(takeAdminPath()).toBeUndefined();
});
