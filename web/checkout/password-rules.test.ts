import { expect, it } from 'vitest';
import { CompleteRegistrationForm } from '#contract/account-forms.ts';
import { passwordRules } from './password-rules.tsx';

it.each(['', 'short1A', 'alllowercase1', 'ALLUPPERCASE1', 'NoNumbersHere', 'Sunday-walk-7', 'Aa345678'])(
  'the rules on the page are all met for “%s” exactly when the shop accepts this password',
  (password) => {
    const isTaken = CompleteRegistrationForm.safeParse({ password, confirmPassword: password }).success;
    expect(passwordRules.every(({ isMetBy }) => isMetBy(password))).toBe(isTaken);
  },
);
