import type { FieldValues } from 'react-hook-form';
import * as z from 'zod/mini';
import type { $ZodType } from 'zod/v4/core';
import type { FieldText } from './sections.ts';

/**
 * Adds the fields that are missing in the content, with the value of an empty input. An empty number or choice is null.
 * For undefined, the form would show the default value that an item at this position had before.
 */
export const fillMissingFields = (fields: FieldText[], removeNullFields: FieldValues): FieldValues => ({
  ...Object.fromEntries(fields.map(({ name, kind }) => [name, kind === 'number' || kind === 'choice' ? null : ''])),
  ...removeNullFields,
});

/** Wraps the schema, so that it ignores fields with the value null. */
export const ignoreEmptyValues = (schema: $ZodType) => z.pipe(z.transform(removeNullFields), schema);

/** Converts the form's values to content: removes the fields with the value null. */
export const withoutNullFields = (values: FieldValues): FieldValues => removeNullFields(values) as FieldValues;

function removeNullFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeNullFields);
  if (typeof value !== 'object' || value === null) return value;
  const presentEntries = Object.entries(value).filter(([, it]) => it !== null);
  return Object.fromEntries(presentEntries.map(([name, it]) => [name, removeNullFields(it)]));
}
