import { expect, it } from 'vitest';
import { toStripeBillingDetails } from './stripe-billing.ts';

const anna = { firstName: 'Anna', lastName: 'Berg', email: 'anna@example.com' };
const shippedDetails = {
  ...anna,
  address: { line1: '1 Elm St', city: 'New York', state: 'NY', postalCode: '10001', country: 'US' as const },
};

it('toStripeBillingDetails omits the country and postal code only when the form asks for them', () => {
  expect(toStripeBillingDetails(shippedDetails, { asksPostalCode: false })).toEqual({
    name: 'Anna Berg',
    email: 'anna@example.com',
    address: { line1: '1 Elm St', line2: '', city: 'New York', state: 'NY', country: 'US', postal_code: '10001' },
  });
  expect(toStripeBillingDetails(shippedDetails, { asksPostalCode: true }).address).not.toHaveProperty('postal_code');
  const taxLocation = { country: 'CA' as const, postalCode: 'K1A 0B1' };
  expect(toStripeBillingDetails({ ...anna, taxLocation }, { asksPostalCode: false }).address).toEqual({
    country: 'CA',
    postal_code: 'K1A 0B1',
  });
  expect(toStripeBillingDetails(anna, { asksPostalCode: true }).address).toEqual({});
});
