import { expect, test } from 'vitest';
import { numberParam, oneOfParam, defineSearchParams, textParam } from './search-params.ts';
import { parseSearch, stringifySearch } from './search.ts';

const parseParams = defineSearchParams({
  product: textParam(20),
  quantity: numberParam,
  tab: oneOfParam('open', 'done'),
});

test('defineSearchParams returns undefined for an invalid search param', () => {
  expect(parseParams({ product: 'x'.repeat(21), quantity: 'many', tab: 'closed' })).toEqual({});
  expect(parseParams({ quantity: '', tab: ['open'] })).toEqual({});
  // The router spreads the validated search over the raw search of the address.
  const givenParams = { tab: 'closed', else: 'stays' };
  expect({ ...givenParams, ...parseParams(givenParams) }).toEqual({ tab: undefined, else: 'stays' });
});

test('defineSearchParams converts valid search params to their types', () => {
  expect(parseParams({ product: 'byof', quantity: '2', tab: 'open' })).toEqual({
    product: 'byof',
    quantity: 2,
    tab: 'open',
  });
});

test('writes and parses search params as plain text, not JSON', () => {
  expect(stringifySearch({ product: 'kinframe', quantity: 2, extras: undefined })).toBe('?product=kinframe&quantity=2');
  expect(parseSearch('?a=1&b=x%20y')).toEqual({ a: '1', b: 'x y' });
});
