import { expect, test } from 'vitest';
import { builtInSite } from '#contract/built-in-site.ts';
import type { Product } from '#contract/content.ts';
import { createBreadcrumbData, createFaqData, createProductData } from './structured-data.ts';

const context = {
  shop: { origin: 'https://kinframe.example', sandbox: false, collectsTax: false },
  site: builtInSite,
  day: '2026-03-01',
};
const product: Product = {
  id: 'kinframe',
  name: 'Kinframe Digital Picture Frame',
  short: 'Short',
  long: 'Long',
  price: 199,
  image: '/media/product/front-1200.jpg',
  images: ['/media/product/front-1200.jpg'],
  features: [],
  specs: [],
  included: '',
  rating: { value: 4.8, count: 127 },
};

test('productData returns a price that is valid until the end of the year, and absolute picture URLs', () => {
  const data = createProductData(context, product);
  expect(data.offers).toMatchObject({ price: '199.00', priceCurrency: 'USD', priceValidUntil: '2026-12-31' });
  expect(data.image).toEqual(['https://kinframe.example/media/product/front-1200.jpg']);
  expect(data).toMatchObject({ aggregateRating: { ratingValue: 4.8, reviewCount: 127 } });
});

test('productData omits aggregateRating when the product has no rating', () => {
  expect(createProductData(context, { ...product, rating: null })).not.toHaveProperty('aggregateRating');
});

test('faqData contains each question with its answer, and breadcrumbs contain absolute URLs', () => {
  expect(createFaqData([{ question: 'Why?', answer: 'Because.' }]).mainEntity[0]).toMatchObject({
    name: 'Why?',
    acceptedAnswer: { text: 'Because.' },
  });
  const steps = createBreadcrumbData(context, ['Gallery', '/gallery']).itemListElement;
  expect(steps.map((it) => it.item)).toEqual(['https://kinframe.example/', 'https://kinframe.example/gallery']);
});
