import { expect, test } from 'vitest';
import { kinframe, productIds } from '#contract/catalog.ts';
import { aboutSections } from '#contract/content-forms.ts';
import { contentSections, type ContentSection } from '#contract/content.ts';
import { defaultContent } from './defaults.ts';

test.each(Object.keys(contentSections) as ContentSection[])('the built-in section %s is valid', (section) => {
  expect(contentSections[section].safeParse(defaultContent[section]).error).toBeUndefined();
});

test('the defaults contain all products, all about sections, and enough questions and gallery items', () => {
  expect(defaultContent.products.map((it) => it.id).toSorted()).toEqual([...productIds].toSorted());
  expect(defaultContent.about.map((it) => it.section)).toEqual([...aboutSections]);
  expect(defaultContent.faqs.length).toBeGreaterThanOrEqual(8);
  expect(defaultContent.gallery.length).toBeGreaterThanOrEqual(9);
});

test('the built-in product page describes the parts of the frame', () => {
  const { specs } = defaultContent.products.find((it) => it.id === kinframe)!;
  expect(specs.find((it) => it.label === 'Frame')?.value).toBe('Oak with a cream mat, easel stand');
});
