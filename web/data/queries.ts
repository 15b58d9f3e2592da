import type { ProductId } from '#contract/catalog.ts';
import { query } from './api.ts';

/** The data of the public pages. Each is one stored document, or its built-in default. */
export const productsQuery = () => query('/data/products.json');
export const faqsQuery = () => query('/data/faqs.json');
export const testimonialsQuery = () => query('/data/testimonials.json');
export const galleryQuery = () => query('/data/gallery.json');
export const promosQuery = () => query('/data/promos.json');
export const heroQuery = () => query('/data/hero.json');
export const featuresQuery = () => query('/data/features.json');
export const howItWorksStepsQuery = () => query('/data/steps.json');
export const siteQuery = () => query('/data/site.json');
/** How long frames take to ship, and when the shop is away. */
export const shippingQuery = () => query('/data/shipping.json');
/** How many frames are left to buy. */
export const stockQuery = () => query('/data/stock.json');
/** Whether visitors can try the shop with a photo. */
export const trialOfferQuery = () => query('/data/trial.json');
/** The trial of this browser. */
export const trialQuery = () => query('/api/trial');
/** The first page of a product's reviews, and its rating. */
export const reviewsQuery = (product: ProductId) =>
  query('/api/products/:product/reviews', { params: { product }, query: {} });
export const aboutQuery = () => query('/api/about-content');
