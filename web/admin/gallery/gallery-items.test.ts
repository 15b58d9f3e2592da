import { expect, test } from 'vitest';
import { createBlankItem, listComparedItems, sortByIds, addOrReplaceItem } from './gallery-items.ts';

const createItem = (id: number) => ({ id, title: `Picture ${id}`, caption: '', beforeImage: '/media/kite.jpg' });

test('a new item gets the highest id plus one and the last place', () => {
  expect(createBlankItem([]).id).toBe(1);
  const items = [createItem(7), createItem(2)];
  const addedItem = { ...createBlankItem(items), title: 'New' };
  expect(addedItem.id).toBe(8);
  expect(addOrReplaceItem(items, addedItem).map((it) => it.id)).toEqual([7, 2, 8]);
});

test('an edited item keeps its place', () => {
  expect(addOrReplaceItem([createItem(7), createItem(2)], { ...createItem(7), title: 'Edited' })).toEqual([
    { ...createItem(7), title: 'Edited' },
    createItem(2),
  ]);
});

test('comparedItems labels a field with the id of its item', () => {
  expect(listComparedItems([createItem(7)])).toContainEqual({ label: 'picture 7, Title', words: 'Picture 7' });
});

test('sortedByIds sorts the items by the given ids, and comparedItems contains the order as a field', () => {
  const items = [createItem(7), createItem(2), createItem(9)];
  const sortedItems = sortByIds(items, ['9', '7', '2']);
  expect(sortedItems.map((it) => it.id)).toEqual([9, 7, 2]);
  expect(listComparedItems(sortedItems)).toContainEqual({ label: 'Order', words: '9, 7, 2' });
});
