import { describe, expect, test } from 'vitest';
import { walletLines } from './express-protocol.ts';
import { type GivenByWallet, readWalletDetails } from './wallet-details.ts';

const address = { line1: '12 Linden Street', line2: null, city: 'Portland', postal_code: '97201', country: 'US' };
const rose: GivenByWallet = {
  name: 'Rose  van der Winter',
  email: ' Rose@example.com ',
  address: { ...address, state: 'Oregon' },
};
const readWallet = (given: GivenByWallet, isShipped = true) => readWalletDetails(given, { isShipped });

describe('the details that a wallet provides', () => {
  test('reads complete details, with the state as a code or as a name', () => {
    for (const state of ['Oregon', 'OR', 'or'])
      expect(readWallet({ ...rose, address: { ...address, state } })).toMatchObject({
        details: {
          firstName: 'Rose',
          lastName: 'van der Winter',
          address: { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' },
        },
      });
    const canada = { line1: '1 Elgin', city: 'Ottawa', state: 'ON', postal_code: 'k1a0b1', country: 'CA' };
    expect(readWallet({ ...rose, address: canada })).toMatchObject({ details: { address: { postalCode: 'K1A 0B1' } } });
  });

  test('accepts details without an address for an order that is not shipped', () => {
    expect(readWallet({ name: rose.name, email: rose.email }, false)).toMatchObject({
      details: { firstName: 'Rose', lastName: 'van der Winter' },
    });
  });

  test('keeps incomplete details with the names of the missing fields', () => {
    expect(readWallet({ name: 'Rose', email: null, address: { ...address, line1: '', state: 'Bavaria' } })).toEqual({
      draft: {
        firstName: 'Rose',
        lastName: '',
        email: '',
        address: { line1: '', line2: '', city: 'Portland', state: '', postalCode: '97201', country: 'US' },
      },
      missing: ['Last name', 'Email', 'Address', 'State'],
    });
    expect(readWallet({})).toMatchObject({ missing: expect.arrayContaining(['First name', 'ZIP code']) });
    // Some wallets shorten a Canadian postal code.
    const shortAddress = { line1: '1 Elgin', city: 'Ottawa', state: 'ON', postal_code: 'K1A', country: 'CA' };
    expect(readWallet({ ...rose, address: shortAddress })).toMatchObject({ missing: ['Postal code'] });
  });

  test('refuses details with an address in a country that the shop does not ship to', () => {
    const { missing } = readWallet({ ...rose, address: { ...rose.address, country: 'GB' } }) as { missing: string[] };
    expect(missing).toContain('An address in the United States or Canada');
  });
});

test('the amounts that a wallet lists add up to the total, also with a discount and tax', () => {
  const price = {
    provider: 'sandbox' as const,
    lines: [
      { label: 'Frame', quantity: 2, amountCents: 39_800 },
      { label: 'Photos', quantity: 1, amountCents: 999 },
    ] as never,
    subtotalAmount: 40_799,
    discountAmount: 0,
    totalAmount: 40_799,
    isCapturedLater: false,
  };
  expect(walletLines(price)).toEqual([
    { name: '2 x Frame', amount: 39_800 },
    { name: 'Photos', amount: 999 },
  ]);
  expect(walletLines({ ...price, discountAmount: 799, promoCode: 'GIFT', taxAmount: 2400 })).toEqual([
    { name: 'Your order with GIFT', amount: 40_000 },
    { name: 'Tax', amount: 2400 },
  ]);
});
