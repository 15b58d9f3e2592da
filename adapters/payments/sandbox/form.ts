/**
 * Parameters in Stripe's bracket notation: `shipping[address][city]=Bath` becomes { shipping: { address: { city: 'Bath'
 * } } }.
 */
import { createInvalidRequest } from './errors.ts';

export interface ParsedForm {
  [name: string]: string | ParsedForm;
}

const MOST_FIELDS = 500;
const MAX_FIELD_DEPTH = 6;

export function parseForm(text: string): ParsedForm {
  const form = createEmptyForm();
  const fields = [...new URLSearchParams(text)];
  if (fields.length > MOST_FIELDS) throw createInvalidRequest('Too many parameters.');
  for (const [name, value] of fields) putFormValue(form, parseFieldPath(name), value, name);
  return form;
}

function parseFieldPath(name: string): string[] {
  if (!/^[^[\]]+(\[[^[\]]*\])*$/.test(name))
    throw createInvalidRequest(`Invalid parameter name: ${name.slice(0, 100)}`);
  const path = name.split('[').map((part) => part.replace(']', ''));
  if (path.length > MAX_FIELD_DEPTH) throw createInvalidRequest('Parameters are nested too deeply.');
  return path;
}

function putFormValue(form: ParsedForm, path: string[], value: string, name: string) {
  let node = form;
  for (const step of path.slice(0, -1)) {
    const nextNode = (node[step] ??= createEmptyForm());
    if (typeof nextNode === 'string') throw createInvalidRequest(`Invalid object at ${name}`);
    node = nextNode;
  }
  const lastStep = path.at(-1) ?? '';
  if (typeof node[lastStep] === 'object') throw createInvalidRequest(`Invalid string at ${name}`);
  node[lastStep] = value;
}

/** A form without a prototype, so that a parameter's name cannot have a special meaning. */
const createEmptyForm = () => Object.create(null) as ParsedForm;
