import { expect, test } from 'vitest';
import { canadaPackageSchema, LabelCustomsBody } from './label-forms.ts';

const parcel = { weight: 90, length: 14, width: 11, height: 4 };
const sharedFields = {
  description: 'Digital picture frame',
  weight: 40,
  hsTariffNumber: '8528.59.1000',
  originCountry: ' cn ',
  signer: 'Ada Owner',
  isCertified: true,
};
const schema = canadaPackageSchema({ quantity: 2, paidCents: 18_905 });

/** The messages of the owner’s form, and those of the call for the same values. */
function findMistakes(change: object, dollars = '189.05', valueCents: number = 18_905) {
  const form = schema.safeParse({ ...parcel, customs: { ...sharedFields, ...change, dollars } });
  const parseResult = LabelCustomsBody.safeParse({ ...sharedFields, ...change, valueCents });
  return [form, parseResult].map(({ error }) => error?.issues.map(({ path, message }) => [path.at(-1), message]) ?? []);
}

test('tidies the tariff number and the country', () => {
  expect(LabelCustomsBody.parse({ ...sharedFields, valueCents: 1 })).toMatchObject({
    hsTariffNumber: '8528591000',
    originCountry: 'CN',
  });
  const fieldsWithoutTariffNumber = { ...sharedFields, hsTariffNumber: undefined, valueCents: 1 };
  expect(LabelCustomsBody.parse(fieldsWithoutTariffNumber)).toMatchObject({ hsTariffNumber: '' });
});

test.each([
  ['hsTariffNumber', '8528.5', 'Please enter 6 to 10 digits, or leave this empty'],
  ['hsTariffNumber', '85285910001', 'Please enter 6 to 10 digits, or leave this empty'],
  ['hsTariffNumber', '8528.59a', 'Please enter 6 to 10 digits, or leave this empty'],
  ['originCountry', 'China', 'Please enter two letters, such as CN'],
  ['originCountry', '', 'Please enter two letters, such as CN'],
  ['description', ' ', 'Please enter what is in the package'],
  ['description', 'x'.repeat(101), 'Please use at most 100 characters'],
  ['signer', '', 'Please enter the name of the person who signs'],
  ['isCertified', false, 'Please confirm that the customs form is true'],
  ['weight', NaN, 'Please enter ounces, from 0.1 to 2400'],
  ['weight', -1, 'Please enter ounces, from 0.1 to 2400'],
])('the form and the call refuse the same %s: %j', (field, value, message) => {
  const expectedMistakes = [[field, message]];
  expect(findMistakes({ [field]: value })).toEqual([expectedMistakes, expectedMistakes]);
});

test.each([
  ['0', 0],
  ['0.00', 0],
  ['-5', -500],
  ['1.005', 100.5],
  ['', NaN],
])('the form and the call refuse the value %j', (dollars, cents) => {
  const message = 'Please enter dollars and cents, such as 199.00';
  expect(findMistakes({}, dollars, cents)).toEqual([[['dollars', message]], [['valueCents', message]]]);
});

test('the form accepts a value up to what was paid', () => {
  expect(findMistakes({}, '$189.05')[0]).toEqual([]);
  expect(findMistakes({}, '0.01')[0]).toEqual([]);
  expect(findMistakes({}, '189.06')[0]).toEqual([
    ['dollars', 'Please enter at most $189.05, because the customer paid that for each frame'],
  ]);
});

test('the frames weigh at most as much as the package', () => {
  expect(findMistakes({ weight: 45 })[0]).toEqual([]);
  expect(findMistakes({ weight: 45.1 })[0]).toEqual([['weight', 'The frames can’t weigh more than the whole package']]);
});
