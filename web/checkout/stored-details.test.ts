import { expect, it } from 'vitest';
import { createCart } from '../data/cart.ts';
import {
  withoutGiftAddress,
  selectDetailsForCart,
  createDetailsFromOrder,
  readDetails,
  readDraft,
} from './stored-details.ts';

const anna = { firstName: 'Anna', lastName: 'Berg', email: 'anna@example.com' };
const address = { line1: '1 Elm St', city: 'New York', state: 'NY', postalCode: '10001', country: 'US' as const };

const gift = { recipientName: 'Maria Berg', message: 'For you', shipOn: '2026-12-20' };

it('readDetails returns stored details, and undefined for any other stored text', () => {
  expect(readDetails(JSON.stringify({ ...anna, address }))).toEqual({ ...anna, address });
  expect(readDetails(JSON.stringify({ ...anna, address, gift }))).toEqual({ ...anna, address, gift });
  for (const nonsense of [null, '', '{', '[]', '"x"', '{"firstName":"Anna"}'])
    expect(readDetails(nonsense)).toBeUndefined();
});

it('readDraft returns a stored draft, even if it is incomplete or invalid', () => {
  const typedDetails = { firstName: 'Anna', email: 'anna@', phone: '', address: { country: 'CA', state: 'ON' } };
  expect(readDraft(JSON.stringify(typedDetails))).toEqual(typedDetails);
  expect(readDraft('{"gift":{"message":"For","from":1}}')).toEqual({ gift: { message: 'For' } });
  expect(readDraft('{"firstName":1,"lastName":"Berg","address":{"city":["x"]}}')).toEqual({
    lastName: 'Berg',
    address: {},
  });
  for (const nonsense of [null, '', '{']) expect(readDraft(nonsense)).toBeUndefined();
});

it('selectDetailsForCart returns undefined when the cart is shipped and there is no address', () => {
  expect(selectDetailsForCart(createCart({}), anna, false)).toBeUndefined();
  expect(selectDetailsForCart(createCart({}), { ...anna, address }, false)).toEqual({ ...anna, address });
});

it('selectDetailsForCart omits the address when the cart contains the byof service', () => {
  expect(selectDetailsForCart(createCart({ product: 'byof' }), { ...anna, address }, false)).toEqual(anna);
});

it('selectDetailsForCart includes the place that sales tax depends on when the shop collects tax for the byof service', () => {
  const service = createCart({ product: 'byof' });
  const taxLocation = { country: 'CA' as const, postalCode: 'K1A 0B1' };
  expect(selectDetailsForCart(service, anna, true)).toBeUndefined();
  expect(selectDetailsForCart(service, { ...anna, address, taxLocation }, true)).toEqual({ ...anna, taxLocation });
  expect(selectDetailsForCart(service, { ...anna, address }, true)).toEqual({
    ...anna,
    taxLocation: { country: 'US', postalCode: '10001' },
  });
  expect(selectDetailsForCart(createCart({}), { ...anna, address, taxLocation }, true)).toEqual({ ...anna, address });
});

it('uses the address of a gift’s recipient only for shipping, and not as the buyer’s address', () => {
  const givenDetails = { ...anna, address, gift };
  expect(selectDetailsForCart(createCart({}), givenDetails, true)).toEqual(givenDetails);
  expect(selectDetailsForCart(createCart({ product: 'byof' }), givenDetails, false)).toEqual(anna);
  expect(selectDetailsForCart(createCart({ product: 'byof' }), givenDetails, true)).toBeUndefined();
  expect(withoutGiftAddress(givenDetails)).toEqual(anna);
  expect(withoutGiftAddress({ ...anna, address })).toEqual({ ...anna, address });
});

it('createDetailsFromOrder returns the buyer of an earlier order, and undefined when the details are not valid any more', () => {
  const order = {
    customerFirstName: 'Anna',
    customerLastName: 'Berg',
    email: anna.email,
    shippingAddress: address,
    gift: null,
  };
  expect(createDetailsFromOrder(order)).toEqual({ ...anna, address });
  expect(createDetailsFromOrder({ ...order, gift })).toEqual(anna); // the gift was shipped to someone else
  expect(createDetailsFromOrder({ ...order, shippingAddress: null })).toEqual(anna);
  expect(createDetailsFromOrder({ ...order, shippingAddress: { ...address, state: 'Elsewhere' } })).toBeUndefined();
});
