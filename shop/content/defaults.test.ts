import { expect, test } from 'vitest';
import { productIds } from '#contract/catalog.ts';
import { aboutSections } from '#contract/content-forms.ts';
import { contentSections, type ContentSection } from '#contract/content.ts';
import { defaults } from './defaults.ts';

test.each(Object.keys(contentSections) as ContentSection[])('the built-in section %s is valid', (section) => {
  expect(contentSections[section].safeParse(defaults[section]).error).toBeUndefined();
});

test('the defaults contain all products, all about sections, and enough questions and gallery items', () => {
  expect(defaults.products.map((it) => it.id).toSorted()).toEqual([...productIds].toSorted());
  expect(defaults.about.map((it) => it.section)).toEqual([...aboutSections]);
  expect(defaults.faqs.length).toBeGreaterThanOrEqual(8);
  expect(defaults.gallery.length).toBeGreaterThanOrEqual(9);
});
