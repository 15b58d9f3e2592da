import * as z from 'zod';
import type { $ZodIssue } from 'zod/v4/core';
import { GalleryItem, Promo } from '#contract/content-forms.ts';
import { contentSections, type Content, type ContentSection } from '#contract/content.ts';
import { defaultContent } from './defaults.ts';

type SavedSectionResult<S extends ContentSection> =
  | { success: true; data: Content<S> }
  | { success: false; words: string };

/**
 * Schemas that check only the shape of saved content. They leave out the rules between items, because the rules of the
 * form may be stricter today than when the content was saved.
 */
const lenientSchemas = { ...contentSections, promos: z.array(Promo), gallery: z.array(GalleryItem) };

/**
 * Read a section that any release may have saved. A field that was added since then gets the default of the built-in
 * section, or an empty text if there is no default. Any other mismatch makes the whole section unreadable.
 */
export function parseSavedSection<S extends ContentSection>(section: S, saved: unknown): SavedSectionResult<S> {
  const schema = lenientSchemas[section];
  const parseResult = schema.safeParse(saved);
  if (parseResult.success) return { success: true, data: parseResult.data as Content<S> };
  const missingIssues = parseResult.error.issues.filter((issue) => isMissing(issue, saved));
  const completedValue = schema.safeParse(
    missingIssues.reduce((whole, issue) => applyDefault(section, whole, issue), saved),
  );
  if (completedValue.success) return { success: true, data: completedValue.data as Content<S> };
  const [{ path, message }] = completedValue.error.issues as [$ZodIssue];
  return { success: false, words: `${path.join('.') || section}: ${message}` };
}

const isMissing = ({ code, path }: $ZodIssue, saved: unknown) =>
  (code === 'invalid_type' || code === 'invalid_value') && path.length > 0 && getValueAt(saved, path) === undefined;

function applyDefault(section: ContentSection, whole: unknown, issue: $ZodIssue): unknown {
  const defaultValue = Array.isArray(whole) ? undefined : getValueAt(defaultContent[section], issue.path);
  const value = defaultValue ?? (issue.code === 'invalid_type' && issue.expected === 'string' ? '' : undefined);
  return value === undefined ? whole : putValueAt(whole, issue.path, value);
}

type Path = readonly PropertyKey[];
const getValueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);

/** A copy with this value at this path. */
function putValueAt(whole: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy = (Array.isArray(whole) ? [...(whole as unknown[])] : { ...(whole as object) }) as Record<
    PropertyKey,
    unknown
  >;
  copy[key] = putValueAt(copy[key], rest, value);
  return copy;
}
