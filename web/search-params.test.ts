import { expect, test } from 'vitest';
import { number, oneOf, searchParams, text } from './search-params.ts';
import { parseSearch, stringifySearch } from './search.ts';

const read = searchParams({ product: text(20), quantity: number, tab: oneOf('open', 'done') });

test('nonsense in an address reads as absent', () => {
  expect(read({ product: 'x'.repeat(21), quantity: 'many', tab: 'closed' })).toEqual({});
  expect(read({ quantity: '', tab: ['open'] })).toEqual({});
  // The router lays what was read over the address.
  const given = { tab: 'closed', else: 'stays' };
  expect({ ...given, ...read(given) }).toEqual({ tab: undefined, else: 'stays' });
});

test('what makes sense is read with its type', () => {
  expect(read({ product: 'byof', quantity: '2', tab: 'open' })).toEqual({ product: 'byof', quantity: 2, tab: 'open' });
});

test('search params stay plain on the wire', () => {
  expect(stringifySearch({ product: 'kinframe', quantity: 2, extras: undefined })).toBe('?product=kinframe&quantity=2');
  expect(parseSearch('?a=1&b=x%20y')).toEqual({ a: '1', b: 'x y' });
});
