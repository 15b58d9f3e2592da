import type { GalleryItem } from '#contract/content-forms.ts';
import { type ComparedField, listComparedFields } from '../content/compared-fields.ts';
import type { FieldText } from '../content/sections.ts';

/** An empty new item. Its id is the highest existing id plus 1. */
export const createBlankItem = (items: readonly GalleryItem[]): GalleryItem => ({
  id: Math.max(0, ...items.map((it) => it.id)) + 1,
  title: '',
  caption: '',
  beforeImage: '',
  afterVideo: '',
});

/** Replaces the item with the same id, or adds a new item at the end. */
export const addOrReplaceItem = (items: readonly GalleryItem[], item: GalleryItem): GalleryItem[] =>
  items.some((it) => it.id === item.id) ? items.map((it) => (it.id === item.id ? item : it)) : [...items, item];

/** The same items in the order of these ids. */
export function sortByIds(items: readonly GalleryItem[], ids: readonly string[]): GalleryItem[] {
  const orderIndex = new Map(ids.map((id, at) => [id, at]));
  return items.toSorted((a, b) => orderIndex.get(String(a.id))! - orderIndex.get(String(b.id))!);
}

/** The fields of an item that the owner edits. */
export const galleryItemFields: FieldText[] = [
  { name: 'title', label: 'Title' },
  { name: 'caption', label: 'Caption' },
  { name: 'beforeImage', label: 'Before image', kind: 'media' },
  { name: 'afterVideo', label: 'After video', kind: 'media' },
];

/** The fields to compare two versions of the gallery: the fields of all items, and the order of the items. */
export const listComparedItems = (items: readonly GalleryItem[]): ComparedField[] => [
  ...items.flatMap((item) => listComparedFields(galleryItemFields, item, `picture ${item.id}`)),
  { label: 'Order', words: items.map((it) => it.id).join(', ') },
];
