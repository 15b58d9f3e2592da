import { expect, it } from 'vitest';
import { isOtherState, findValuesToFill } from './postal-filling.ts';

const newYork = { city: 'New York', state: 'NY' };
const portland = { city: 'Portland', state: 'OR' };
const emptyPlace = { city: '', state: '' };

it('fills in the fields that are empty', () => {
  expect(findValuesToFill(newYork, emptyPlace, {})).toEqual(newYork);
  expect(findValuesToFill(newYork, { city: ' ', state: 'NY' }, {})).toEqual({ city: 'New York' });
});

it('replaces the values of the last lookup', () => {
  expect(findValuesToFill(newYork, portland, portland)).toEqual(newYork);
  expect(findValuesToFill({ city: 'Portland', state: 'ME' }, portland, portland)).toEqual({
    city: 'Portland',
    state: 'ME',
  });
});

it('keeps a city that the person typed', () => {
  expect(findValuesToFill(newYork, { city: 'Manhattan', state: '' }, {})).toEqual({ state: 'NY' });
  expect(findValuesToFill(newYork, { city: 'Manhattan', state: 'OR' }, portland)).toEqual({ state: 'NY' });
});

it('fills in nothing if the person chose another state', () => {
  expect(findValuesToFill(newYork, { city: '', state: 'NJ' }, {})).toBeUndefined();
  expect(findValuesToFill(newYork, { city: 'Portland', state: 'WA' }, portland)).toBeUndefined();
});

it('fills in nothing if both fields have values', () => {
  expect(findValuesToFill(newYork, { city: 'Manhattan', state: 'NY' }, {})).toBeUndefined();
  expect(findValuesToFill(newYork, newYork, {})).toBeUndefined();
});

it('asks about the state only if the chosen state differs from the ZIP code’s state', () => {
  expect(isOtherState(newYork, emptyPlace)).toBe(false);
  expect(isOtherState(newYork, newYork)).toBe(false);
  expect(isOtherState(newYork, { city: '', state: 'NJ' })).toBe(true);
});
