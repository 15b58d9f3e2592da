import { expect, test } from 'vitest';
import { rememberAdminPath, takeAdminPath } from './return-path.ts';

test.each(['/admin?tab=users', '/admin/gift-receipt/o1', '/admin/packing-slips?orders=o1.o2'])(
  'returns the remembered path %s once',
  (path) => {
    rememberAdminPath(path);
    expect(takeAdminPath()).toBe(path);
    expect(takeAdminPath()).toBeUndefined();
  },
);

test.each(['https://evil.example/admin?', '//evil.example', '/upload', '/administration'])(
  'does not return the remembered path %s, because it is not in the panel',
  (path) => {
    rememberAdminPath(path);
    expect(takeAdminPath()).toBeUndefined();
  },
);
