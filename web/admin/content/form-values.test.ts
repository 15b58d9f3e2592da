import { expect, it } from 'vitest';
import { filled, withoutEmptyValues } from './form-values.ts';
import { formOf, lists } from './sections.ts';

it('accepts a form in which optional fields are empty', () => {
  const promo = { message: 'Snow', startDate: '2026-12-01', endDate: '2026-12-24', discountCode: '' };
  const item = filled(lists.promos.fields, { ...promo, id: 1 });
  expect(item).toMatchObject({ discountPercent: null, usageCap: null });
  const read = withoutEmptyValues(formOf.promos)._zod.run({ value: { items: [item] }, issues: [] }, {});
  expect(read).toMatchObject({ issues: [], value: { items: [{ message: 'Snow' }] } });
});
