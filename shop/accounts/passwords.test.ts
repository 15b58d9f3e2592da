import { hash, verify } from '@node-rs/argon2';
import { expect, test, vi } from 'vitest';
import { hashPassword, isPasswordCorrect, refuseCommonPassword } from './passwords.ts';

vi.mock('@node-rs/argon2', { spy: true });

test('checking a password for an unknown email takes as much work as checking a wrong password', async () => {
  const knownHash = await hashPassword('Sunflower-Field-7');
  const listHashCosts = async (passwordHash: string | undefined) => {
    await isPasswordCorrect('first use', undefined); // creates the dummy hash, which is cached
    vi.mocked(hash).mockClear();
    vi.mocked(verify).mockClear();
    expect(await isPasswordCorrect('not-the-password', passwordHash)).toBe(false);
    const costs = vi.mocked(verify).mock.calls.map(([against]) => String(against).split('$').slice(1, 4));
    return { hashed: vi.mocked(hash).mock.calls.length, costs };
  };
  const workOfWrongPassword = await listHashCosts(knownHash);
  expect(workOfWrongPassword).toEqual({ hashed: 0, costs: [['argon2id', 'v=19', 'm=19456,t=2,p=1']] });
  expect(await listHashCosts(undefined)).toEqual(workOfWrongPassword);
});

test('accepts the same password in another Unicode encoding', async () => {
  expect(await isPasswordCorrect('Caf\u00e9-am-Meer', await hashPassword('Cafe\u0301-am-Meer'))).toBe(true);
});

const email = 'anna.k1990@example.com';
test.each([
  'aaaaaa',
  'AaaaAAaa1',
  'zzzzzzzzzzzz!!',
  '\u{1f98a}'.repeat(6),
  '!!!!!!!!',
  '77777777777777777777',
  'anna.k1990@example.com',
  'Anna.K1990@Example.com1',
  'anna.k1990',
  'Anna.K2024!',
  'password',
  'password99!',
  'Passw0rd2026',
  'Dragon$$4471',
  'Summer@2026',
  'Kinframe2026!',
])('refuses the password %s with common-password', async (password) => {
  await expect(refuseCommonPassword(password, email)).rejects.toMatchObject({ code: 'common-password' });
});

test.each(['Sunflower-Field-7', 'aaaaab', 'annas-garden', '4-9-2-7-1-0', 'Sunny-lake-2026!', 'example.com-is-mine'])(
  'accepts the password %s, which is not common',
  async (password) => {
    await refuseCommonPassword(password, email);
  },
);
