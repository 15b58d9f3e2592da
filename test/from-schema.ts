import fc from 'fast-check';

/** The parts of JSON Schema 2020-12 that the OpenAPI document uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  exclusiveMinimum?: number;
  maximum?: number;
  pattern?: string;
  format?: string;
}

interface SchemaContext {
  /** Schemas by `$ref`. */
  refs: Record<string, Schema>;
  /** Returns better values than random text for a field of this name, for example existing ids. */
  known?: (name: string) => fc.Arbitrary<string> | undefined;
}

/**
 * Generates values that match this schema, including the limits of its numbers and lengths. Rules that a schema cannot
 * express (a day must exist, two fields must match) are only met by chance.
 */
export function createArbitrary(schema: Schema, from: SchemaContext, name = ''): fc.Arbitrary<unknown> {
  const createNested = (it: Schema, itsName = name) => createArbitrary(it, from, itsName);
  if (schema.$ref) return createNested(from.refs[schema.$ref]!);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return fc.oneof(...alternatives.map((kind) => createNested(kind)));
  if (schema.allOf)
    return fc
      .tuple(...schema.allOf.map((part) => createNested(part)))
      .map((parts) => Object.assign({}, ...(parts as object[])) as unknown);
  switch (schema.type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({
        min: Math.ceil(Math.max(computeMinimum(schema), Number.MIN_SAFE_INTEGER)),
        max: Math.floor(Math.min(schema.maximum ?? Infinity, Number.MAX_SAFE_INTEGER)),
      });
    case 'number':
      return fc.double({
        min: Math.max(computeMinimum(schema), -1e15),
        max: Math.min(schema.maximum ?? Infinity, 1e15),
        noNaN: true,
      });
    case 'string':
      return from.known?.(name) ?? createTextArbitrary(schema);
    case 'array': {
      const { minItems: minLength = 0, maxItems = 3 } = schema;
      return fc.array(createNested(schema.items ?? {}), {
        minLength,
        maxLength: Math.max(minLength, Math.min(maxItems, 3)),
      });
    }
    case 'object': {
      const { properties = {}, required = [], additionalProperties } = schema;
      if (Object.keys(properties).length === 0 && typeof additionalProperties === 'object')
        return fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), createNested(additionalProperties), {
          maxKeys: 3,
        });
      const fields = Object.entries(properties).map(([field, it]) => [field, createNested(it, field)] as const);
      return fc.record<Record<string, unknown>, string>(Object.fromEntries(fields), {
        requiredKeys: required.filter((field) => field in properties),
        noNullPrototype: true,
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const computeMinimum = ({ minimum = -Infinity, exclusiveMinimum = -Infinity }: Schema) =>
  Math.max(minimum, exclusiveMinimum + Number.EPSILON);

const arbitrariesByFormat: Record<string, fc.Arbitrary<string>> = {
  uuid: fc.uuid(),
  email: fc.constantFrom('lina@example.com', 'a+b@example.co', 'x_y.z@mail.example.org'),
  uri: fc.webUrl(),
  date: fc
    .date({ min: new Date('2020-01-01'), max: new Date('2035-12-31'), noInvalidDate: true })
    .map((it) => it.toISOString().slice(0, 10)),
  'date-time': fc
    .date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') })
    .map((it) => it.toISOString()),
};

function createTextArbitrary({ format, pattern, minLength = 0, maxLength = 200 }: Schema): fc.Arbitrary<string> {
  if (format && format in arbitrariesByFormat) return arbitrariesByFormat[format]!;
  const freeText = fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }) },
    {
      weight: 2,
      arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)), unit: 'grapheme' }),
    },
    { weight: 1, arbitrary: fc.constantFrom(minLength, Math.min(maxLength, 20_000)).map((count) => 'x'.repeat(count)) },
  );
  if (pattern === undefined) return freeText;
  try {
    return fc.oneof(
      { weight: 4, arbitrary: fc.stringMatching(new RegExp(pattern, 'u')) },
      { weight: 1, arbitrary: freeText },
    );
  } catch {
    return freeText; // it has a lookahead or lookbehind, from which no text can be generated
  }
}

const wrongParts = fc.oneof(
  fc.constantFrom<unknown[]>(
    undefined,
    null,
    '',
    ' ',
    '\0',
    'x\udfff',
    -1,
    0,
    1.5,
    1e308,
    2 ** 53,
    true,
    [],
    {},
    [[]],
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.jsonValue({ maxDepth: 2 }),
);

/** These values, each with one error: a part that has a wrong type, is hostile or is missing, or an extra field. */
export const createInvalidArbitrary = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .tuple(values, fc.nat(), wrongParts)
    .map(([value, place, wrong]) => withPartReplaced(value, findPaths(value)[place % findPaths(value).length]!, wrong));

/** Returns the path of each part of a value, of the whole value, and of an extra field. */
function findPaths(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, part]) => findPaths(part).map((path) => [key, ...path])),
    ...(Array.isArray(value) ? [] : [['nobodyAskedFor']]),
  ];
}

function withPartReplaced(value: unknown, [key, ...rest]: string[], part: unknown): unknown {
  if (key === undefined) return part;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...(value as object) };
  copy[key] = withPartReplaced(copy[key], rest, part);
  return copy;
}
