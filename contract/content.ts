import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import {
  AboutSection,
  Faqs,
  Features,
  FrameFacts,
  Gallery,
  Hero,
  mediaAddressField,
  Promos,
  Shipping,
  ShopSettings,
  Site,
  Steps,
  aboutSections,
  contentTextField,
  linkTargetField,
} from './content-forms.ts';
import type { Operations } from './operation.ts';

/** A product, with the data that every page reads (specification 1, section 3). */
export const Product = z
  .object({
    id: z.string().max(64),
    name: contentTextField(),
    short: contentTextField(500),
    long: contentTextField(5000),
    /** The price in dollars, from the price book. */
    price: z.number(),
    badge: z.optional(contentTextField(60)),
    image: mediaAddressField,
    images: z.array(mediaAddressField).max(20),
    features: z.array(contentTextField()).max(30),
    specs: z.array(z.object({ label: contentTextField(100), value: contentTextField(300) })).max(40),
    included: contentTextField(1000),
    checkoutUrl: z.optional(linkTargetField),
    amazonFrames: z.object({ uhale: linkTargetField }).optional(),
    /** The rating in the page's structured data. If the owner clears it, the structured data has no rating. */
    rating: z
      .object({ value: z.number().min(0).max(5), count: z.int().min(0) })
      .nullable()
      .optional(),
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof Product>;

export const Testimonial = z
  .object({ name: contentTextField(100), quote: contentTextField(1000) })
  .meta({ id: 'Testimonial' });

/** Every content section by name. Each is stored as one database row. Without a row, its default is used. */
export const contentSections = {
  products: z.array(Product),
  faqs: Faqs,
  testimonials: z.array(Testimonial).max(100),
  gallery: Gallery,
  promos: Promos,
  hero: Hero,
  features: Features,
  steps: Steps,
  site: Site,
  shipping: Shipping,
  /** Not public, unlike the other sections. */
  settings: ShopSettings,
  frame: FrameFacts,
  about: z.array(AboutSection).max(aboutSections.length),
} as const;
export type ContentSection = keyof typeof contentSections;
export type Content<S extends ContentSection> = z.infer<(typeof contentSections)[S]>;

const createDataOperation = <S extends $ZodType>(summary: string, response: S) => ({
  summary,
  who: 'anyone' as const,
  response,
});

export const content = {
  'GET /data/products.json': createDataOperation(
    'Read the three products; the frame has the facts that the owner entered',
    contentSections.products,
  ),
  'GET /data/faqs.json': createDataOperation('Read the questions and answers', contentSections.faqs),
  'GET /data/testimonials.json': createDataOperation('Read the testimonials', contentSections.testimonials),
  'GET /data/gallery.json': createDataOperation('Read the gallery items', contentSections.gallery),
  'GET /data/promos.json': createDataOperation(
    'Read the promotions, with the codes that the banner shows',
    contentSections.promos,
  ),
  'GET /data/hero.json': createDataOperation('Read the hero of the home page', contentSections.hero),
  'GET /data/features.json': createDataOperation('Read the feature cards', contentSections.features),
  'GET /data/steps.json': createDataOperation('Read the steps of how it works', contentSections.steps),
  'GET /data/site.json': createDataOperation('Read the name, tagline and contact of the shop', contentSections.site),
  'GET /data/shipping.json': createDataOperation(
    'Read how long frames take to ship, and when the shop is away',
    z
      .object({
        handlingDays: z.int(),
        transitDays: z.int(),
        /** Null if no vacation is planned, or if it is over. */
        vacation: z
          .object({ from: z.iso.date(), to: z.iso.date(), shipsFrom: z.iso.date(), note: z.string() })
          .nullable(),
      })
      .meta({ id: 'ShippingTimes' }),
  ),
  'GET /api/about-content': createDataOperation('Read the sections of the about page', contentSections.about),
} satisfies Operations;
