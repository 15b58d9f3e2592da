import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { detailsForms } from './customer-details.ts';
import { addressFormats, findRegionName } from './addresses.ts';

const anna = { firstName: 'Anna', lastName: 'Berg', email: 'anna@example.com' };
const newYork = { line1: '1 Elm St', city: 'New York', state: 'NY', postalCode: '10001', country: 'US' };
const findMistakes = (form: z.ZodMiniType, values: unknown) =>
  Object.fromEntries((form.safeParse(values).error?.issues ?? []).map((it) => [it.path.join('.'), it.message]));

describe('customer details', () => {
  it('needs no address for the service', () => {
    expect(detailsForms.digital.parse({ ...anna, address: newYork })).toEqual(anna);
  });

  it('accepts ZIP codes with and without the extra four digits', () => {
    for (const postalCode of ['10001', ' 10001-2345 ']) {
      expect(findMistakes(detailsForms.US, { ...anna, address: { ...newYork, postalCode } })).toEqual({});
    }
    expect(findMistakes(detailsForms.US, { ...anna, address: { ...newYork, postalCode: 'K1A 0B1' } })).toEqual({
      'address.postalCode': addressFormats.US.postalWrong,
    });
  });

  it('formats Canadian postal codes as Canada Post does', () => {
    const ottawa = { ...newYork, country: 'CA', state: 'ON' };
    for (const postalCode of ['k1a0b1', 'K1A 0B1', ' k1a-0b1 ']) {
      const parsedDetails = detailsForms.CA.parse({ ...anna, address: { ...ottawa, postalCode } });
      expect(parsedDetails.address.postalCode).toBe('K1A 0B1');
    }
    expect(findMistakes(detailsForms.CA, { ...anna, address: { ...ottawa, postalCode: 'D1A 0B1' } })).toEqual({
      'address.postalCode': addressFormats.CA.postalWrong,
    });
  });

  it('accepts only regions of the chosen country', () => {
    expect(
      findMistakes(detailsForms.CA, { ...anna, address: { ...newYork, country: 'CA', postalCode: 'K1A 0B1' } }),
    ).toEqual({ 'address.state': 'Province or territory is required' });
  });
});

it('lists no region twice, has all 13 of Canada, and returns the name of a region', () => {
  const codes = [...addressFormats.US.regions, ...addressFormats.CA.regions].map((it) => it.value);
  expect(new Set(codes).size).toBe(codes.length);
  expect(addressFormats.CA.regions).toHaveLength(13);
  expect(findRegionName('US', 'DC')).toBe('District of Columbia');
  expect(findRegionName('CA', 'QC')).toBe('Quebec');
  expect(findRegionName('US', 'Elsewhere')).toBe('Elsewhere');
});
