import * as z from 'zod';
import type { $ZodIssue } from 'zod/v4/core';
import { GalleryItem, Promo } from '#contract/content-forms.ts';
import { contentSections, type Content, type ContentSection } from '#contract/content.ts';
import { defaults } from './defaults.ts';

type Saved<S extends ContentSection> = { success: true; data: Content<S> } | { success: false; words: string };

/** What is read is its shape; rules between its items are the form's, and may be stricter than when these were saved. */
const shapes = { ...contentSections, promos: z.array(Promo), gallery: z.array(GalleryItem) };

/**
 * A section as some release saved it, read by this one. A field that came since gets the built-in section's value where
 * it has one in the same place, and is empty where it is a text; what else does not fit makes the whole unreadable.
 */
export function readSaved<S extends ContentSection>(section: S, saved: unknown): Saved<S> {
  const schema = shapes[section];
  const read = schema.safeParse(saved);
  if (read.success) return { success: true, data: read.data as Content<S> };
  const missing = read.error.issues.filter((issue) => isMissing(issue, saved));
  const completed = schema.safeParse(missing.reduce((whole, issue) => withDefault(section, whole, issue), saved));
  if (completed.success) return { success: true, data: completed.data as Content<S> };
  const [{ path, message }] = completed.error.issues as [$ZodIssue];
  return { success: false, words: `${path.join('.') || section}: ${message}` };
}

const isMissing = ({ code, path }: $ZodIssue, saved: unknown) =>
  (code === 'invalid_type' || code === 'invalid_value') && path.length > 0 && at(saved, path) === undefined;

function withDefault(section: ContentSection, whole: unknown, issue: $ZodIssue): unknown {
  const builtIn = Array.isArray(whole) ? undefined : at(defaults[section], issue.path);
  const value = builtIn ?? (issue.code === 'invalid_type' && issue.expected === 'string' ? '' : undefined);
  return value === undefined ? whole : put(whole, issue.path, value);
}

type Path = readonly PropertyKey[];
const at = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

/** A copy with this value at this path. */
function put(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(whole) ? [...(whole as unknown[])] : { ...(whole as object) }) as Record<
    PropertyKey,
    unknown
  >;
  copy[key] = put(copy[key], rest, value);
  return copy;
}
