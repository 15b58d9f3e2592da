import * as z from 'zod/mini';
import { dayAfter, isRealDay } from './calendar.ts';
import { emailAddressField, optionalTextField, tidyTextCheck } from './fields.ts';
import { isMediaAddress, isOwnPath } from './media-address.ts';
import { toAsciiText, tidyCode } from './tidy.ts';

/** The content sections that the owner edits in the admin panel, with their error messages. */

/** Plain text. Pages escape it. */
export const contentTextField = (most = 300) => optionalTextField(most, `At most ${most} characters, please`);
/** A text that must not be empty, because pages need it. */
const requiredContentField = (what: string, most: number) =>
  z
    .string()
    .check(
      tidyTextCheck,
      z.minLength(1, `Please enter ${what}`),
      z.maxLength(most, `At most ${most} characters, please`),
    );
/** A link target: a path on this site, or an address elsewhere. Empty means no link. */
export const linkTargetField = contentTextField(500).check(
  z.refine(
    (it) => it === '' || isOwnPath(it) || /^(https?:\/\/|mailto:|tel:|#)/i.test(it),
    'Please enter a path on this site, like /gallery, or a link that starts with https://',
  ),
);
/** A page on another site. Empty means none. */
const webAddress = contentTextField(500).check(
  z.refine((it) => it === '' || /^https?:\/\//i.test(it), 'Please enter a link that starts with https://'),
);
const isMedia = z.refine<string>(
  (it) => it === '' || isMediaAddress(it),
  'Please enter a path on this site, like /media/picture.jpg, or a link that starts with https://',
);
/** An image or a video. Empty means none. */
export const mediaAddressField = contentTextField(500).check(isMedia);
/** An image or a video that must not be empty, because pages need it. */
const requiredMediaField = (what: string) => requiredContentField(what, 500).check(isMedia);
const day = z.iso.date('Please choose a day');

export const Hero = z
  .object({
    backgroundVideo: mediaAddressField,
    title: requiredContentField('a title', 200),
    titleHighlight: contentTextField(200),
    subtitle: contentTextField(500),
    ctaText: contentTextField(80),
    ctaUrl: linkTargetField,
  })
  .register(z.globalRegistry, { id: 'Hero' });

export const featureIcons = ['Gift', 'Zap', 'Lock', 'Star', 'Heart', 'Shield', 'Sparkles'] as const;
export const Feature = z
  .object({
    icon: z.optional(z.enum(featureIcons)),
    title: requiredContentField('a title', 200),
    description: contentTextField(600),
    image: z.optional(mediaAddressField),
  })
  .register(z.globalRegistry, { id: 'Feature' });
export const Features = z.array(Feature).check(z.maxLength(12, 'Please use at most 12 cards'));

export const Step = z
  .object({
    number: z.int(),
    title: requiredContentField('a title', 200),
    description: contentTextField(600),
    image: z.optional(mediaAddressField),
  })
  .register(z.globalRegistry, { id: 'Step' });
export const Steps = z.array(Step).check(z.maxLength(12, 'Please use at most 12 steps'));

export const Site = z
  .object({
    name: requiredContentField('the shop’s name', 100),
    tagline: contentTextField(200),
    description: contentTextField(500),
    contactEmail: emailAddressField,
    phone: contentTextField(40),
    facebookUrl: z.optional(webAddress),
    instagramUrl: z.optional(webAddress),
    youtubeUrl: z.optional(webAddress),
  })
  .register(z.globalRegistry, { id: 'Site' });
/**
 * The form for saving the site settings. Unlike `Site`, it validates the phone number, because values that were saved
 * earlier must stay readable.
 */
export const SiteForm = z
  .extend(Site, {
    phone: contentTextField(40).check(
      z.refine(
        (it) => it === '' || /^(?=(.*\d){3})[\d +\-()./]+$/.test(toAsciiText(it)),
        'Please enter a phone number, like +1 503 555 0100',
      ),
    ),
  })
  .register(z.globalRegistry, { id: 'SiteForm' });

const vacationDay = z.union([z.literal(''), day]);
const countUpTo99 = (least: number) =>
  z
    .int('Please enter a whole number')
    .check(
      z.minimum(least, `Please enter a number from ${least} to 99`),
      z.maximum(99, `Please enter a number from ${least} to 99`),
    );
/** When frames ship. Estimates of the delivery and the notice on pages follow from it. */
export const Shipping = z
  .object({
    /** Business days from finished photos until the package ships. If absent, the built-in number applies. */
    handlingDays: z.optional(countUpTo99(0)),
    /** Business days on the way. If absent, the built-in number applies. */
    transitDays: z.optional(countUpTo99(1)),
    /** The weekdays on which packages leave. 0 is Sunday. */
    shipsOn: z
      .array(z.int().check(z.minimum(0), z.maximum(6)))
      .check(z.minLength(1, 'Please choose at least one day'), z.maxLength(7)),
    /** The first and the last day on which nothing ships, in the shop's time zone. Empty: no vacation. */
    vacationFrom: vacationDay,
    vacationTo: vacationDay,
    vacationNote: contentTextField(300),
  })
  .register(z.globalRegistry, { id: 'Shipping' });
/** The form for saving. Saved content keeps its shape if the rules between fields change. */
export const ShippingForm = Shipping.check(({ value: { vacationFrom, vacationTo }, issues }) => {
  const addIssue = (field: string, words: string) =>
    issues.push({ code: 'custom', input: field, path: [field], message: words });
  if (vacationFrom !== '' && vacationTo === '') addIssue('vacationTo', 'When is your last day away?');
  if (vacationFrom === '' && vacationTo !== '') addIssue('vacationFrom', 'When is your first day away?');
  if (vacationFrom !== '' && vacationTo !== '' && vacationTo < vacationFrom)
    addIssue('vacationTo', 'The last day is before the first');
  if (isRealDay(vacationFrom) && vacationTo > dayAfter(vacationFrom, mostVacationDays))
    addIssue('vacationTo', `Please choose at most ${mostVacationDays} days`);
});
/** A longer pause would promise days that are too far away to be true. */
const mostVacationDays = 120;

const costInDollars = z.number('Please enter an amount in dollars, like 62.50').check(
  z.minimum(0, 'Please enter 0 or more'),
  z.maximum(9_999_999.99, 'Please enter less than 10 million dollars'),
  z.refine((it) => Number(it.toFixed(2)) === it, 'Please enter at most two digits after the point'),
);
const onOffField = z.enum(['on', 'off'], 'Please choose one');
/**
 * How the shop runs. No page shows these values to visitors. An environment variable of the server wins over each of
 * them.
 */
export const ShopSettings = z
  .object({
    /** What one frame and one package cost the shop. Absent: not counted in margins. */
    frameCostDollars: z.optional(costInDollars),
    shippingCostDollars: z.optional(costInDollars),
    /** Whether finished videos are approved without the owner's review. */
    autoApprove: onOffField,
    /** Whether customers check their videos before delivery: before or after the owner approves them. */
    proof: z.enum(['off', 'before', 'after'], 'Please choose one'),
    /** How many videos of a frame its customer may have made again. */
    customerRedos: countUpTo99(0),
    /** Whether photos get previews of their videos while customers add photos. */
    previews: onOffField,
    /** Whether visitors can make one free video before they buy. */
    trials: onOffField,
  })
  .register(z.globalRegistry, { id: 'ShopSettings' });
export type ShopSettings = z.infer<typeof ShopSettings>;
/** The settings that environment variables of the server set. */
export const ServerSettings = z.partial(ShopSettings).register(z.globalRegistry, { id: 'ServerSettings' });
export type ServerSettings = z.infer<typeof ServerSettings>;

/** The facts of the frame that the shop sells. An empty text is left out on pages. */
export const FrameFacts = z
  .object({
    size: contentTextField(100),
    weight: contentTextField(100),
    storage: contentTextField(100),
    videoLength: contentTextField(100),
    /** What is in the box. If it is empty, pages show the text of the product. */
    box: contentTextField(1000),
    /** Pages say that the facts are examples. The built-in facts have this mark until the owner removes it. */
    mark: z.optional(z.enum(['examples'])),
  })
  .register(z.globalRegistry, { id: 'FrameFacts' });

export const Faq = z
  .object({ question: requiredContentField('a question', 300), answer: requiredContentField('an answer', 5000) })
  .register(z.globalRegistry, { id: 'Faq' });
export const Faqs = z.array(Faq).check(z.maxLength(100, 'Please use at most 100 questions'));

export const Promo = z
  .object({
    id: z.optional(z.int()),
    message: requiredContentField('what is announced', 300),
    /** Days in the shop's time zone, both inclusive. */
    startDate: day,
    endDate: day,
    discountCode: z.optional(contentTextField(40)),
    /** The percentage that the discount code takes off the merchandise. */
    discountPercent: z.optional(
      z
        .number('Please enter a number')
        .check(
          z.minimum(0, 'Please enter a number from 1 to 99'),
          z.maximum(99, 'A code can take off at most 99 percent, because the payment provider can’t charge $0.'),
        ),
    ),
    /** `code`: the banner also shows the code and its discount. If absent, the code stays unpublished. */
    banner: z.optional(z.enum(['code'])),
    /** How many checkouts may use the code in total. Absent means no limit. */
    usageCap: z.optional(z.int('Please enter a whole number').check(z.minimum(1, 'Please enter at least 1'))),
  })
  .register(z.globalRegistry, { id: 'Promo' });
export type Promo = z.infer<typeof Promo>;
export const Promos = z.array(Promo).check(z.maxLength(50, 'Please use at most 50 promotions'), ({ value, issues }) => {
  for (const { at, field, words } of findPromoProblems(value))
    issues.push({ code: 'custom', input: value, path: [at, field], message: words });
});

/**
 * Finds invalid promotions: an end before the start, a code without a discount, a discount or a usage cap without a
 * code, and a code used twice.
 */
function findPromoProblems(promos: Promo[]): { at: number; field: keyof Promo; words: string }[] {
  const codes = promos.map((it) => tidyCode(it.discountCode ?? '').toUpperCase());
  return promos.flatMap(({ startDate, endDate, discountPercent = 0, usageCap, banner }, at) => {
    const code = codes[at]!;
    const foundProblems: [boolean, keyof Promo, string][] = [
      [endDate < startDate, 'endDate', 'The last day is before the first'],
      [code !== '' && discountPercent === 0, 'discountPercent', 'How much does the code take off, in percent?'],
      [code === '' && discountPercent > 0, 'discountCode', 'Which code gives this discount?'],
      [code === '' && banner === 'code', 'discountCode', 'Which code does the banner show?'],
      [code === '' && usageCap !== undefined, 'discountCode', 'Which code is this limit for?'],
      [code !== '' && codes.indexOf(code) < at, 'discountCode', 'Another promotion already uses this code'],
    ];
    return foundProblems.flatMap(([is, field, words]) => (is ? [{ at, field, words }] : []));
  });
}

export const GalleryItem = z
  .object({
    id: z.int(),
    title: requiredContentField('a title', 200),
    caption: contentTextField(500),
    beforeImage: requiredMediaField('the before image'),
    afterVideo: z.optional(mediaAddressField),
  })
  .register(z.globalRegistry, { id: 'GalleryItem' });
export type GalleryItem = z.infer<typeof GalleryItem>;
export const Gallery = z
  .array(GalleryItem)
  .check(z.maxLength(200, 'Please use at most 200 pictures'), ({ value, issues }) => {
    for (const [at, { id }] of value.entries())
      if (value.findIndex((it) => it.id === id) < at)
        issues.push({
          code: 'custom',
          continue: true,
          input: value,
          path: [at, 'id'],
          message: 'Another picture already has this number',
        });
  });

export const aboutSections = ['hero', 'story-1', 'story-2', 'values-1', 'values-2', 'values-3', 'team', 'cta'] as const;
export const AboutSection = z
  .object({
    section: z.enum(aboutSections),
    title: contentTextField(200),
    subtitle: contentTextField(300),
    content: contentTextField(5000),
    imageUrl: mediaAddressField,
    imageAlt: contentTextField(300),
    buttonText: contentTextField(80),
    buttonUrl: linkTargetField,
    iconType: z.optional(z.enum(['heart', 'shield', 'zap'])),
  })
  .register(z.globalRegistry, { id: 'AboutSection' });
