import { describe, expect, it } from 'vitest';
import { createColumnsParam, findNeighbor, rowRangeText, filterShownColumns, toggleSort } from './list-rules.ts';

it('toggledSort reverses the sort when the list is already sorted by the column', () => {
  expect(toggleSort('-date', '-total')).toBe('-total');
  expect(toggleSort('-total', '-total')).toBe('total');
  expect(toggleSort('total', '-total')).toBe('-total');
  expect(toggleSort(undefined, 'customer')).toBe('customer');
  expect(toggleSort('customer', 'customer')).toBe('-customer');
});

it('neighbor() returns the next or previous row, and the same row at an end of the list', () => {
  expect(findNeighbor(['a', 'b', 'c'], 'b', 1)).toBe('c');
  expect(findNeighbor(['a', 'b', 'c'], 'c', 1)).toBe('c');
  expect(findNeighbor(['a', 'b', 'c'], 'a', -1)).toBe('a');
  expect(findNeighbor(['a', 'b', 'c'], undefined, 1)).toBe('a');
  expect(findNeighbor([], 'a', 1)).toBeUndefined();
});

it('rowRangeText says which rows the page shows, and how many rows there are', () => {
  const pagingText = (rows: number, from: number, total: number, isTotalExact = true) =>
    rowRangeText({ rows: Array.from({ length: rows }), from, total, isTotalExact }, ['order', 'orders']);
  expect(pagingText(0, 0, 0)).toBe('0 orders');
  expect(pagingText(1, 0, 1)).toBe('1 order');
  expect(pagingText(12, 0, 12)).toBe('12 orders');
  expect(pagingText(50, 50, 1520)).toBe('51–100 of 1,520 orders');
  expect(pagingText(20, 1500, 1520)).toBe('1,501–1,520 of 1,520 orders');
  expect(pagingText(50, 0, 1000, false)).toBe('1–50 of more than 1,000 orders');
});

describe('the columns of a list', () => {
  const columns = [{ name: 'date', spare: 'hidden' }, { name: 'total' }, { name: 'code', isExtra: true as const }];
  const listNamesOfColumns = (columnsParam?: string) => filterShownColumns(columns, columnsParam).map((it) => it.name);

  it('the list shows its default columns when the address names no valid column', () => {
    expect(listNamesOfColumns()).toEqual(['date', 'total']);
    expect(listNamesOfColumns('code,date')).toEqual(['date', 'code']);
    expect(listNamesOfColumns('nonsense')).toEqual(['date', 'total']);
  });

  it('a narrow screen shows all columns that the address names', () => {
    expect(filterShownColumns(columns, undefined)[0]!.spare).toBe('hidden');
    expect(filterShownColumns(columns, 'date')[0]!.spare).toBeUndefined();
  });

  it('the address contains the columns only when they differ from the default columns', () => {
    expect(createColumnsParam(columns, undefined, 'code', true)).toBe('date,total,code');
    expect(createColumnsParam(columns, 'date,total,code', 'code', false)).toBeUndefined();
    expect(createColumnsParam(columns, undefined, 'date', false)).toBe('total');
  });
});
