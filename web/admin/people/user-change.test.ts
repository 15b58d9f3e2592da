import { expect, test } from 'vitest';
import type { AdminUser } from '#contract/owner/people.ts';
import { parseAmount, findAmountProblem, readAmountTexts, findChangedAmounts } from './user-change.ts';

const user = { id: '1', basePhotoLimit: 40, extraPhotoPackages: 1, reuploadCredits: 0 } as AdminUser;

test('parseAmount returns 0 for an invalid or negative amount', () => {
  expect(['12', ' 7 ', '', 'many', '-3', '2.9', 'NaN', 'Infinity'].map(parseAmount)).toEqual([12, 7, 0, 0, 0, 2, 0, 0]);
});

test('amountProblem says what is wrong with an amount and what is saved instead', () => {
  expect(['12', ' 7 ', '0'].map(findAmountProblem)).toEqual([undefined, undefined, undefined]);
  expect(['', 'many', '-3', '2.9'].map(findAmountProblem)).toEqual([
    'Please enter a whole number, 0 or more. We’ll save 0.',
    'Please enter a whole number, 0 or more. We’ll save 0 instead of “many”.',
    'Please enter a whole number, 0 or more. We’ll save 0 instead of “-3”.',
    'Please enter a whole number, 0 or more. We’ll save 2 instead of “2.9”.',
  ]);
});

test('findChangedAmounts returns only the amounts that were changed', () => {
  expect(findChangedAmounts(user, readAmountTexts(user))).toEqual({});
  expect(findChangedAmounts(user, { ...readAmountTexts(user), reuploadCredits: '2' })).toEqual({ reuploadCredits: 2 });
  expect(findChangedAmounts(user, { ...readAmountTexts(user), reuploadCredits: 'none' })).toEqual({});
  expect(findChangedAmounts(user, { basePhotoLimit: '', extraPhotoPackages: '3', reuploadCredits: '00' })).toEqual({
    basePhotoLimit: 0,
    extraPhotoPackages: 3,
  });
});
