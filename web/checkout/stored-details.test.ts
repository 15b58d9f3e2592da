import { expect, it } from 'vitest';
import { cartOf } from './cart.ts';
import { detailsFor, readDetails } from './stored-details.ts';

const anna = { firstName: 'Anna', lastName: 'Berg', email: 'anna@example.com' };
const address = { line1: '1 Elm St', city: 'New York', state: 'NY', postalCode: '10001', country: 'US' as const };

it('reads back what was stored, and nothing else', () => {
  expect(readDetails(JSON.stringify({ ...anna, address }))).toEqual({ ...anna, address });
  for (const nonsense of [null, '', '{', '[]', '"x"', '{"firstName":"Anna"}'])
    expect(readDetails(nonsense)).toBeUndefined();
});

it('asks again when a parcel has no address', () => {
  expect(detailsFor(cartOf({}), anna)).toBeUndefined();
  expect(detailsFor(cartOf({}), { ...anna, address })).toEqual({ ...anna, address });
});

it('sends no address along with the service', () => {
  expect(detailsFor(cartOf({ product: 'byof' }), { ...anna, address })).toEqual(anna);
});
