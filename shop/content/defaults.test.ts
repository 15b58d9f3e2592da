import { expect, test } from 'vitest';
import { productIds } from '#contract/catalog.ts';
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
