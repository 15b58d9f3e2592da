import { expect, it } from 'vitest';
import { isOtherState, valuesToFill } from './postal-filling.ts';

const newYork = { city: 'New York', state: 'NY' };
const portland = { city: 'Portland', state: 'OR' };
const emptyPlace = { city: '', state: '' };

it('fills in the fields that are empty', () => {
  expect(valuesToFill(newYork, emptyPlace, {})).toEqual(newYork);
  expect(valuesToFill(newYork, { city: ' ', state: 'NY' }, {})).toEqual({ city: 'New York' });
});

it('replaces the values of the last lookup', () => {
  expect(valuesToFill(newYork, portland, portland)).toEqual(newYork);
  expect(valuesToFill({ city: 'Portland', state: 'ME' }, portland, portland)).toEqual({
    city: 'Portland',
    state: 'ME',
  });
});

it('keeps a city that the person typed', () => {
  expect(valuesToFill(newYork, { city: 'Manhattan', state: '' }, {})).toEqual({ state: 'NY' });
  expect(valuesToFill(newYork, { city: 'Manhattan', state: 'OR' }, portland)).toEqual({ state: 'NY' });
});

it('fills in nothing if the person chose another state', () => {
  expect(valuesToFill(newYork, { city: '', state: 'NJ' }, {})).toBeUndefined();
  expect(valuesToFill(newYork, { city: 'Portland', state: 'WA' }, portland)).toBeUndefined();
});

it('fills in nothing if both fields have values', () => {
  expect(valuesToFill(newYork, { city: 'Manhattan', state: 'NY' }, {})).toBeUndefined();
  expect(valuesToFill(newYork, newYork, {})).toBeUndefined();
});

it('asks about the state only if the chosen state differs from the ZIP code’s state', () => {
  expect(isOtherState(newYork, emptyPlace)).toBe(false);
  expect(isOtherState(newYork, newYork)).toBe(false);
  expect(isOtherState(newYork, { city: '', state: 'NJ' })).toBe(true);
});
