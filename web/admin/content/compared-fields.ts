import type { FieldValues } from 'react-hook-form';
import { type FieldText, optionLabel } from './sections.ts';

/** One field of a version, with a readable label such as "question 2, Answer". */
export interface ComparedField {
  label: string;
  words: string;
  /** True if `words` is the address of a picture or video. */
  isMedia?: true;
}

export const listComparedFields = (fields: FieldText[], values: FieldValues, item?: string): ComparedField[] =>
  fields.map((field) => ({
    label: item === undefined ? field.label : `${item}, ${field.label}`,
    words:
      field.kind === 'weekdays'
        ? weekdaysText(values[field.name] as number[] | undefined)
        : optionLabel(field, String(values[field.name] ?? '').trim()),
    ...(field.kind === 'media' && { isMedia: true as const }),
  }));

/** Weekdays as a text, from the numbers of the content; 0 is Sunday. */
const weekdaysText = (days: number[] = []) => days.map((it) => weekdayNames[it]).join(', ');
export const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

export interface Difference {
  label: string;
  /** The text in the owner's version. Undefined if this version has no such field, because its list has fewer items. */
  mine: string | undefined;
  theirs: string | undefined;
  isMedia?: true;
}

/**
 * The fields that differ between two versions, in the order of the longer one. Fields of only the shorter one follow.
 */
export function findDifferences(mine: ComparedField[], theirs: ComparedField[]): Difference[] {
  const [longer, shorter] = mine.length >= theirs.length ? [mine, theirs] : [theirs, mine];
  const labels = new Set([...longer, ...shorter].map((it) => it.label));
  const [ours, others] = [mine, theirs].map((fields) => new Map(fields.map((it) => [it.label, it.words])));
  const mediaLabels = new Set([...longer, ...shorter].flatMap((it) => (it.isMedia ? it.label : [])));
  return [...labels]
    .map((label) => ({
      label,
      mine: ours!.get(label),
      theirs: others!.get(label),
      ...(mediaLabels.has(label) && { isMedia: true as const }),
    }))
    .filter((it) => it.mine !== it.theirs);
}
