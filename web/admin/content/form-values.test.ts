import { expect, it } from 'vitest';
import { fillMissingFields, ignoreEmptyValues } from './form-values.ts';
import { sectionFormSchemas, listSections } from './sections.ts';

it('accepts a form in which optional fields are empty', () => {
  const promo = { message: 'Snow', startDate: '2026-12-01', endDate: '2026-12-24', discountCode: '' };
  const item = fillMissingFields(listSections.promos.fields, { ...promo, id: 1 });
  expect(item).toMatchObject({ discountPercent: null, usageCap: null });
  const parsedForm = ignoreEmptyValues(sectionFormSchemas.promos)._zod.run(
    { value: { items: [item] }, issues: [] },
    {},
  );
  expect(parsedForm).toMatchObject({ issues: [], value: { items: [{ message: 'Snow' }] } });
});
