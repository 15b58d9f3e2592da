import type { GalleryItem } from '#contract/content-forms.ts';
import { type ComparedField, comparedFields } from '../content/compared-fields.ts';
import type { FieldWords } from '../content/sections.ts';

/** A new item's id is the highest existing id plus 1. */
export const blankItem = (items: readonly GalleryItem[]): GalleryItem => ({
  id: Math.max(0, ...items.map((it) => it.id)) + 1,
  title: '',
  caption: '',
  beforeImage: '',
  afterVideo: '',
});

/** The item in its place, a new one last. */
export const withItem = (items: readonly GalleryItem[], item: GalleryItem): GalleryItem[] =>
  items.some((it) => it.id === item.id) ? items.map((it) => (it.id === item.id ? item : it)) : [...items, item];

/** The same items, as their ids stand here. */
export function inOrder(items: readonly GalleryItem[], ids: readonly string[]): GalleryItem[] {
  const place = new Map(ids.map((id, at) => [id, at]));
  return items.toSorted((a, b) => place.get(String(a.id))! - place.get(String(b.id))!);
}

/** What the owner edits of an item. */
export const fields: FieldWords[] = [
  { name: 'title', label: 'Title' },
  { name: 'caption', label: 'Caption' },
  { name: 'beforeImage', label: 'Before image', kind: 'media' },
  { name: 'afterVideo', label: 'After video', kind: 'media' },
];

/** Two versions are compared by what their items are, and by how these stand. */
export const comparedItems = (items: readonly GalleryItem[]): ComparedField[] => [
  ...items.flatMap((item) => comparedFields(fields, item, `picture ${item.id}`)),
  { label: 'Order', words: items.map((it) => it.id).join(', ') },
];
