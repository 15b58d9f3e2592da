import { describe, expect, it } from 'vitest';
import { findCardBrand, findCardMistakes, caretAfterDigits, formatCardNumber, formatExpiry } from './card-number.ts';

const now = new Date(2026, 10, 20);

describe('the card number in the form', () => {
  it.each([
    ['4242424242424242', '4242 4242 4242 4242'],
    ['42424', '4242 4'],
    ['4242', '4242'],
    ['378282246310005', '3782 822463 10005'],
    ['4242-4242 4242x4242', '4242 4242 4242 4242'],
    ['5555555555554444999', '5555 5555 5555 4444'],
    ['', ''],
  ])('formats %s as %s', (typed, shown) => {
    expect(formatCardNumber(typed)).toBe(shown);
  });

  it('detects the brand from the first digits', () => {
    expect(['4', '51', '2221', '37', '6011', '36', '35', '62', '9', ''].map((it) => findCardBrand(it).name)).toEqual([
      'Visa',
      'Mastercard',
      'Mastercard',
      'Amex',
      'Discover',
      'Diners',
      'JCB',
      'UnionPay',
      '',
      '',
    ]);
  });

  it('caretAfterDigits returns the position after the edited digit', () => {
    expect(caretAfterDigits('4242 4242 4242 4242', 6)).toBe(7);
    expect(caretAfterDigits('4242 4', 5)).toBe(6);
    expect(caretAfterDigits('12 / ', 2)).toBe(5);
    expect(caretAfterDigits('4242', 0)).toBe(0);
  });
});

describe('the expiration date in the form', () => {
  it.each([
    ['1', '', '1'],
    ['12', '1', '12 / '],
    ['122', '12 / ', '12 / 2'],
    ['1227', '', '12 / 27'],
    ['7', '', '07 / '],
    ['1/', '1', '01 / '],
    ['12/2027', '', '12 / 27'],
    ['07/27', '', '07 / 27'],
    ['12 /', '12 / ', '1'],
    ['', '1', ''],
  ])('formats %s after %s as %s', (typed, previous, shown) => {
    expect(formatExpiry(typed, previous)).toBe(shown);
  });
});

describe('cardMistakes', () => {
  const validCard = { number: '4242 4242 4242 4242', expiry: '12 / 40', cvc: '123' };

  it('returns no error for a valid card', () => {
    expect(findCardMistakes(validCard, now)).toEqual({});
    expect(findCardMistakes({ ...validCard, expiry: '11 / 26' }, now)).toEqual({});
    expect(findCardMistakes({ number: '3782 822463 10005', expiry: '12 / 40', cvc: '1234' }, now)).toEqual({});
  });

  it('returns an error for each incomplete field', () => {
    expect(findCardMistakes({ number: '', expiry: '', cvc: '' }, now)).toEqual({
      number: 'Your card number is incomplete.',
      expiry: "Your card's expiration date is incomplete.",
      cvc: "Your card's security code is incomplete.",
    });
    expect(findCardMistakes({ ...validCard, number: '3782 822463 10005' }, now).cvc).toBe(
      "Your card's security code is incomplete.",
    );
  });

  it('returns the sandbox’s message when the check digit or the number of digits is wrong', () => {
    for (const number of ['4242 4242 4242 4241', '4242 4242 4242 42', '5555 5555 5555 4445'])
      expect(findCardMistakes({ ...validCard, number }, now).number).toBe('Use a test card');
  });

  it('returns an error when the expiration date is in the past or impossible', () => {
    expect(findCardMistakes({ ...validCard, expiry: '10 / 26' }, now).expiry).toBe(
      "Your card's expiration date is in the past.",
    );
    expect(findCardMistakes({ ...validCard, expiry: '12 / 25' }, now).expiry).toBe(
      "Your card's expiration year is in the past.",
    );
    expect(findCardMistakes({ ...validCard, expiry: '13 / 30' }, now).expiry).toBe(
      "Your card's expiration date is invalid.",
    );
  });
});
