import { expect, it } from 'vitest';
import { cartOf } from './cart.ts';
import { detailsFor, detailsOf, readDetails } from './stored-details.ts';

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

it('knows a buyer from an earlier order, if that still holds', () => {
  const order = { customerFirstName: 'Anna', customerLastName: 'Berg', email: anna.email, shippingAddress: address };
  expect(detailsOf(order)).toEqual({ ...anna, address });
  expect(detailsOf({ ...order, shippingAddress: null })).toEqual(anna);
  expect(detailsOf({ ...order, shippingAddress: { ...address, state: 'Elsewhere' } })).toBeUndefined();
});
