import type { FieldValues } from 'react-hook-form';
import { countText } from '#contract/count-text.ts';
import { type ComparedField, listComparedFields, type Difference, findDifferences } from './compared-fields.ts';
import type { FieldText } from './sections.ts';

/** How to read a section: its fields, and the noun for an item if the section is a list. */
export interface SectionFields {
  fields: FieldText[];
  item?: string | undefined;
}

export interface ComparedVersions {
  /** The differences between an older version (`mine`) and the current version (`theirs`). */
  found: Difference[];
  /** The fields that are equal in both versions. */
  same: ComparedField[];
  /** The differences in a few words. Empty if there are none. */
  summary: string;
}

/** Compares an older version of a section with the current one. */
export function compareVersions({ fields, item }: SectionFields, then: unknown, now: unknown): ComparedVersions {
  const pairs = pairItems(fields, listItems(then), listItems(now));
  const readPairs = pairs.map((pair) => {
    const name = item && `${pair.old ? '' : 'today’s '}${item} ${(pair.old ?? pair.now)!.at + 1}`;
    const [mine, theirs] = [pair.old, pair.now].map((it) => (it ? listComparedFields(fields, it.values, name) : []));
    const foundDifferences = findDifferences(mine!, theirs!);
    const labels = new Set(foundDifferences.map((it) => it.label));
    return { ...pair, found: foundDifferences, same: mine!.filter((it) => !labels.has(it.label) && it.words !== '') };
  });
  const foundDifferences = readPairs.flatMap((it) => it.found);
  return {
    found: foundDifferences,
    same: readPairs.flatMap((it) => it.same),
    summary: item ? summarizeItems(item, readPairs) : summarizeFields(foundDifferences),
  };
}

const listItems = (value: unknown) => (Array.isArray(value) ? value : [value]) as FieldValues[];

interface PositionedItem {
  values: FieldValues;
  at: number;
  words: string;
}
interface Pair {
  old?: PositionedItem | undefined;
  now?: PositionedItem | undefined;
}

/**
 * Pairs the items of two versions: first items with equal texts, then with an equal first field, then at the same
 * position.
 */
function pairItems(fields: FieldText[], then: FieldValues[], now: FieldValues[]): Pair[] {
  const findItemAtPosition = (values: FieldValues, at: number): PositionedItem => ({
    values,
    at,
    words: JSON.stringify(listComparedFields(fields, values)),
  });
  const firstFieldOf = ({ values }: PositionedItem) => listComparedFields(fields.slice(0, 1), values)[0]?.words;
  const unpairedItems = now.map(findItemAtPosition);
  const pairs: Pair[] = then.map((values, at) => ({ old: findItemAtPosition(values, at) }));
  for (const isSame of [
    (one: PositionedItem, other: PositionedItem) => one.words === other.words,
    (one: PositionedItem, other: PositionedItem) => firstFieldOf(one) === firstFieldOf(other),
    (one: PositionedItem, other: PositionedItem) => one.at === other.at,
  ])
    for (const pair of pairs) {
      const matchingIndex = pair.now ? -1 : unpairedItems.findIndex((it) => isSame(pair.old!, it));
      if (matchingIndex >= 0) [pair.now] = unpairedItems.splice(matchingIndex, 1);
    }
  return [...pairs, ...unpairedItems.map((it) => ({ now: it }))];
}

function summarizeFields(found: Difference[]): string {
  if (found.length > 3) return countText(found.length, 'field');
  return found.map((it) => it.label.toLowerCase()).join(', ');
}

function summarizeItems(item: string, readPairs: (Pair & { found: Difference[] })[]): string {
  const [more, fewer] = [readPairs.filter((it) => !it.now).length, readPairs.filter((it) => !it.old).length];
  const editedCount = readPairs.filter((it) => it.old && it.now && it.found.length > 0).length;
  const currentPositions = readPairs.flatMap((it) => (it.old && it.now ? [it.now.at] : []));
  const isMoved = currentPositions.some((at, index) => index > 0 && at < currentPositions[index - 1]!);
  return [
    more > 0 && `${countText(more, item)} more`,
    fewer > 0 && `${countText(fewer, item)} fewer`,
    editedCount > 0 && `${countText(editedCount, item)} worded differently`,
    isMoved && 'different order',
  ]
    .filter(Boolean)
    .join(', ');
}

/** The readable name of a field path in an API error: `1.discountCode` is "Promotion 2, Code". */
export function fieldLabel({ fields, item }: SectionFields, path: string): string {
  const parts = path.split('.');
  const label = fields.find((it) => it.name === parts.at(-1))?.label;
  const name = item && /^\d+$/.test(parts[0]!) ? `${item} ${Number(parts[0]) + 1}` : undefined;
  const text = [name, label].filter(Boolean).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
