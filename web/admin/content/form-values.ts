import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import type { FieldWords } from './sections.ts';

/**
 * With every field there is: one that content leaves out is as empty as its control. An empty number or choice is null,
 * since a form takes undefined for what stood in this place at first.
 */
export const filled = (fields: FieldWords[], given: FieldValues): FieldValues => ({
  ...Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'number' || kind === 'choice' ? null : ''])),
  ...given,
});

/** The schema, of content as a form holds it: what is null there is nothing. */
export const withoutNothing = (schema: $ZodType) => z.pipe(z.transform(given), schema);

/** What a form holds, as content has it. */
export const asContent = (values: FieldValues): FieldValues => given(values) as FieldValues;

function given(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(given);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, it]) => it !== null);
  return Object.fromEntries(kept.map(([name, it]) => [name, given(it)]));
}
