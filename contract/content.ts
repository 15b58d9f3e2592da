import * as z from 'zod';
import { isMediaAddress, isOwnPath } from './media-address.ts';
import type { Operations } from './operation.ts';

/** What the owner edits and every page reads (specification 1, section 3). Texts are plain text, shown inert. */
const text = (most = 300) => z.string().max(most);
/** A text that pages cannot do without. */
const needed = (what: string, most: number) => text(most).trim().min(1, `Please enter ${what}`);
/** Where a link leads: a path on this site, or an address elsewhere. Empty: nowhere. */
const url = z
  .string()
  .max(500)
  .refine(
    (it) => it === '' || isOwnPath(it) || /^(https?:\/\/|mailto:|tel:|#)/i.test(it),
    'Please enter a path on this site, like /gallery, or an address that begins with https://',
  );
/** A picture or a film. Empty: none. */
const media = z
  .string()
  .max(500)
  .refine(
    (it) => it === '' || isMediaAddress(it),
    'Please enter a path on this site, like /media/picture.jpg, or an address that begins with https://',
  );

export const Product = z
  .object({
    id: z.string().max(64),
    name: text(),
    short: text(500),
    long: text(5000),
    /** Dollars, from the price book. */
    price: z.number(),
    badge: text(60).optional(),
    image: media,
    images: z.array(media).max(20),
    features: z.array(text()).max(30),
    specs: z.array(z.object({ label: text(100), value: text(300) })).max(40),
    included: text(1000),
    checkoutUrl: url.optional(),
    amazonFrames: z.object({ uhale: url }).optional(),
    /** Shown in the structured data; an owner who empties it gets none. */
    rating: z
      .object({ value: z.number().min(0).max(5), count: z.int().min(0) })
      .nullable()
      .optional(),
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof Product>;

export const Faq = z
  .object({ question: needed('a question', 300), answer: needed('an answer', 5000) })
  .meta({ id: 'Faq' });
export const GalleryItem = z
  .object({ id: z.int(), title: text(200), caption: text(500), beforeImage: media, afterVideo: media.optional() })
  .meta({ id: 'GalleryItem' });
export const Promo = z
  .object({
    id: z.int().optional(),
    message: needed('what is announced', 300),
    /** Days in the shop's time zone, both inclusive. */
    startDate: z.iso.date(),
    endDate: z.iso.date(),
    discountCode: text(40).optional(),
    /** Together with a code: what it takes off the merchandise. */
    discountPercent: z
      .number()
      .min(0)
      .max(99, 'A code can take off 99 percent at most: the payment provider cannot charge nothing.')
      .optional(),
    /** How many checkouts may use the code, over its whole life; absent: any number. */
    usageCap: z.int().min(1).optional(),
  })
  .meta({ id: 'Promo' });
export const Hero = z
  .object({
    backgroundVideo: media,
    title: needed('a title', 200),
    titleHighlight: text(200),
    subtitle: text(500),
    ctaText: text(80),
    ctaUrl: url,
  })
  .meta({ id: 'Hero' });
export const featureIcons = ['Gift', 'Zap', 'Lock', 'Star', 'Heart', 'Shield', 'Sparkles'] as const;
export const Feature = z
  .object({
    icon: z.enum(featureIcons).optional(),
    title: needed('a title', 200),
    description: text(600),
    image: media.optional(),
  })
  .meta({ id: 'Feature' });
export const Step = z
  .object({ number: z.int(), title: needed('a title', 200), description: text(600), image: media.optional() })
  .meta({ id: 'Step' });
export const Site = z
  .object({
    name: needed('the shop’s name', 100),
    tagline: text(200),
    description: text(500),
    contactEmail: z.email(),
    phone: text(40),
  })
  .meta({ id: 'Site' });
export const aboutSections = ['hero', 'story-1', 'story-2', 'values-1', 'values-2', 'values-3', 'team', 'cta'] as const;
export const AboutSection = z
  .object({
    section: z.enum(aboutSections),
    title: text(200),
    subtitle: text(300),
    content: text(5000),
    imageUrl: media,
    imageAlt: text(300),
    buttonText: text(80),
    buttonUrl: url,
    iconType: z.enum(['heart', 'shield', 'zap']).optional(),
  })
  .meta({ id: 'AboutSection' });
export const Testimonial = z.object({ name: text(100), quote: text(1000) }).meta({ id: 'Testimonial' });

/** Promotions that could not be kept: days that never come, half a code, one code twice. */
function refuseConfusion(promos: z.infer<typeof Promo>[], context: z.RefinementCtx): void {
  const codes = promos.map((it) => it.discountCode?.trim().toUpperCase() ?? '');
  const refuse = (at: number, field: string, message: string) =>
    context.addIssue({ code: 'custom', path: [at, field], message });
  for (const [at, { startDate, endDate, discountPercent = 0, usageCap }] of promos.entries()) {
    const code = codes[at]!;
    if (endDate < startDate) refuse(at, 'endDate', 'The last day is before the first.');
    if (code !== '' && discountPercent === 0) refuse(at, 'discountPercent', 'How many percent does the code take off?');
    if (code === '' && discountPercent > 0) refuse(at, 'discountCode', 'Which code takes them off?');
    if (code === '' && usageCap !== undefined) refuse(at, 'discountCode', 'Which code may be used so often?');
    if (code !== '' && codes.indexOf(code) < at) refuse(at, 'discountCode', 'Another promotion has this code already.');
  }
}

/** Every section of content by name; each is one row in the database, or its built-in default. */
export const contentSections = {
  products: z.array(Product),
  faqs: z.array(Faq).max(100),
  testimonials: z.array(Testimonial).max(100),
  gallery: z.array(GalleryItem).max(200),
  promos: z.array(Promo).max(50).superRefine(refuseConfusion),
  hero: Hero,
  features: z.array(Feature).max(12),
  steps: z.array(Step).max(12),
  site: Site,
  about: z.array(AboutSection).max(aboutSections.length),
} as const;
export type ContentSection = keyof typeof contentSections;
export type Content<S extends ContentSection> = z.infer<(typeof contentSections)[S]>;

const data = <S extends z.ZodType>(summary: string, response: S) => ({ summary, who: 'anyone' as const, response });

export const content = {
  'GET /data/products.json': data('The three products', contentSections.products),
  'GET /data/faqs.json': data('Questions and answers', contentSections.faqs),
  'GET /data/testimonials.json': data('Testimonials', contentSections.testimonials),
  'GET /data/gallery.json': data('Gallery items', contentSections.gallery),
  'GET /data/promos.json': data('Promotions, without their codes', contentSections.promos),
  'GET /data/hero.json': data('The hero of the home page', contentSections.hero),
  'GET /data/features.json': data('Feature cards', contentSections.features),
  'GET /data/steps.json': data('How it works', contentSections.steps),
  'GET /data/site.json': data('Name, tagline and contact of the shop', contentSections.site),
  'GET /api/about-content': data('The sections of the about page', contentSections.about),
} satisfies Operations;
