import * as z from 'zod/mini';
import { defaultDeliveryTimes } from '#contract/catalog.ts';
import {
  AboutSection,
  type aboutSections,
  Faqs,
  featureIcons,
  Features,
  FrameFacts,
  Hero,
  Promos,
  ShippingForm,
  SiteForm,
  Steps,
} from '#contract/content-forms.ts';

export interface FieldText {
  name: string;
  label: string;
  kind?: 'text' | 'long' | 'media' | 'day' | 'number' | 'choice' | 'weekdays';
  hint?: string;
  /** The value that counts if the owner enters none. Shown after the hint, unless the server sets the value. */
  defaultHint?: string;
  optional?: boolean;
  /** Whether the field takes the full width of the form. */
  wide?: boolean;
  /** The options of a field of the kind `choice`. If the field is optional, the owner may also choose none. */
  options?: readonly string[];
  /** The labels of the options, where they differ from the values. */
  optionLabels?: Readonly<Record<string, string>>;
  /** The server's environment variable that wins over the value, if it is set. */
  variable?: string;
  /** The value of the environment variable, if it is set. The owner cannot change it here. */
  setByServer?: string;
}

/** Adds the values that environment variables of the server set, by the names of their fields. */
export const withServerValues = (
  fields: readonly FieldText[],
  setByServer: Readonly<Record<string, string | number | undefined>>,
): FieldText[] =>
  fields.map((field) => {
    const value = setByServer[field.name];
    return value === undefined ? field : { ...field, setByServer: optionLabel(field, String(value)) };
  });

export const optionLabel = ({ optionLabels }: Pick<FieldText, 'optionLabels'>, value: string): string =>
  optionLabels?.[value] ?? value;

interface Section {
  label: string;
  /** Where visitors see the section. */
  where: string;
  fields: FieldText[];
}
export interface ListText {
  /** The noun for one item: "question". */
  item: string;
  /** The values of a new item in addition to its fields. */
  blank: Record<string, unknown>;
  empty: string;
}

const mediaField = (name: string, label: string, optional = true): FieldText => ({
  name,
  label,
  kind: 'media',
  optional,
  hint: 'Upload a file, or enter its link.',
});

const title: FieldText = { name: 'title', label: 'Title' };
const description: FieldText = { name: 'description', label: 'Description', kind: 'long' };

const socialHint = 'The link to your page there. Leave it empty if you don’t want a link in the footer.';

/** Sections that are a single object. */
export const objectSections: Record<'hero' | 'site' | 'shipping' | 'frame', Section> = {
  hero: {
    label: 'Hero',
    where: 'The top of the home page.',
    fields: [
      title,
      {
        name: 'titleHighlight',
        label: 'Highlighted title',
        hint: 'Shown below the title, in the accent color.',
        optional: true,
      },
      { name: 'subtitle', label: 'Subtitle', kind: 'long', optional: true },
      { name: 'ctaText', label: 'Button text', optional: true },
      { name: 'ctaUrl', label: 'Button link', optional: true },
      mediaField('backgroundVideo', 'Background video or picture'),
    ],
  },
  site: {
    label: 'Site Settings',
    where: 'The name and contact details on every page, in emails and for search engines.',
    fields: [
      { name: 'name', label: 'Name of the shop' },
      { name: 'tagline', label: 'Tagline', optional: true },
      { name: 'description', label: 'Description', kind: 'long', optional: true },
      {
        name: 'contactEmail',
        label: 'Contact email',
        hint: 'Customers write here, and the shop emails you about sales here.',
      },
      { name: 'phone', label: 'Phone', optional: true },
      { name: 'facebookUrl', label: 'Facebook', optional: true, hint: socialHint },
      { name: 'instagramUrl', label: 'Instagram', optional: true, hint: socialHint },
      { name: 'youtubeUrl', label: 'YouTube', optional: true, hint: socialHint },
    ],
  },
  shipping: {
    label: 'Shipping',
    where: 'The delivery estimates on pages and in emails, and the notice on every page while you are away.',
    fields: [
      {
        name: 'handlingDays',
        label: 'Handling days',
        kind: 'number',
        optional: true,
        hint: 'Business days from finished photos until you ship.',
        defaultHint: `Leave it empty for ${defaultDeliveryTimes.handlingDays}.`,
        variable: 'HANDLING_DAYS',
      },
      {
        name: 'transitDays',
        label: 'Transit days',
        kind: 'number',
        optional: true,
        hint: 'Business days in transit.',
        defaultHint: `Leave it empty for ${defaultDeliveryTimes.transitDays}.`,
        variable: 'TRANSIT_DAYS',
      },
      {
        name: 'shipsOn',
        label: 'You ship on',
        kind: 'weekdays',
        hint: 'A package that is ready on another day ships on the next of these days.',
      },
      { name: 'vacationFrom', label: 'First day away', kind: 'day', optional: true },
      {
        name: 'vacationTo',
        label: 'Last day away',
        kind: 'day',
        optional: true,
        hint: 'Delivery estimates start after this day. To end your vacation, clear both days.',
      },
      {
        name: 'vacationNote',
        label: 'Vacation note',
        kind: 'long',
        optional: true,
        hint: 'Shown on every page during these days, after “Frames ship again from …”.',
      },
    ],
  },
  frame: {
    label: 'Frame facts',
    where: 'The specifications on the product page of the Kinframe. Empty fields are left out.',
    fields: [
      { name: 'size', label: 'Size', optional: true, hint: 'For example, 11.2 x 8.3 x 1.2 inches.' },
      { name: 'weight', label: 'Weight', optional: true },
      { name: 'storage', label: 'Storage', optional: true },
      { name: 'videoLength', label: 'Video length', optional: true },
      {
        name: 'box',
        label: 'What’s in the box',
        kind: 'long',
        optional: true,
        hint: 'If you leave it empty, visitors see the built-in text.',
      },
      {
        name: 'mark',
        label: 'Mark as examples',
        kind: 'choice',
        optional: true,
        options: ['examples'],
        hint: 'The product page then adds “(example)” to each of them. Choose “None” once you’ve entered the facts of your frame.',
      },
    ],
  },
};

/** Sections that are lists, in the order that visitors see. */
export const listSections: Record<'features' | 'steps' | 'promos' | 'faqs', Section & ListText> = {
  features: {
    label: 'Feature Cards',
    where: 'Below the hero of the home page.',
    item: 'card',
    blank: {},
    empty: 'If you don’t add any, visitors see the built-in cards.',
    fields: [
      title,
      description,
      mediaField('image', 'Picture'),
      {
        name: 'icon',
        label: 'Icon',
        kind: 'choice',
        optional: true,
        hint: 'Shown if there’s no picture.',
        options: featureIcons,
      },
    ],
  },
  steps: {
    label: 'How It Works',
    where: 'The numbered steps on the home page and on How It Works.',
    item: 'step',
    blank: { number: 0 },
    empty: 'If you don’t add any, visitors see the built-in steps.',
    fields: [title, description, mediaField('image', 'Picture')],
  },
  promos: {
    label: 'Promotions',
    where: 'The banner on every page, from its first day through its last, and the codes customers enter at checkout.',
    item: 'promotion',
    blank: {},
    empty: 'No promotions and no codes yet.',
    fields: [
      { name: 'message', label: 'Announcement', wide: true },
      { name: 'startDate', label: 'First day', kind: 'day' },
      { name: 'endDate', label: 'Last day', kind: 'day', hint: 'Including this day, New York time.' },
      { name: 'discountCode', label: 'Code', optional: true, hint: 'Upper or lower case doesn’t matter.' },
      {
        name: 'discountPercent',
        label: 'Percent off',
        kind: 'number',
        optional: true,
        hint: 'Off the products, up to 99.',
      },
      {
        name: 'usageCap',
        label: 'Maximum uses',
        kind: 'number',
        optional: true,
        hint: 'In total, for this code.',
      },
      {
        name: 'banner',
        label: 'Add to the banner',
        kind: 'choice',
        optional: true,
        hint: 'If you add the code, every visitor can use it.',
        options: ['code'],
      },
    ],
  },
  faqs: {
    label: 'FAQs',
    where: 'The FAQ page. The first three also appear on the home page.',
    item: 'question',
    blank: {},
    empty: 'You don’t have any questions yet.',
    fields: [
      { name: 'question', label: 'Question', wide: true },
      { name: 'answer', label: 'Answer', kind: 'long' },
    ],
  },
};

export const aboutPageSection: Section = {
  label: 'About Us',
  where: 'The about page, part by part.',
  fields: [
    { ...title, optional: true },
    { name: 'subtitle', label: 'Subtitle', optional: true },
    {
      name: 'content',
      label: 'Text',
      kind: 'long',
      optional: true,
      hint: 'Leave an empty line to start a new paragraph.',
    },
    mediaField('imageUrl', 'Picture'),
    {
      name: 'imageAlt',
      label: 'Picture description',
      hint: 'Screen readers read this to people who cannot see the picture.',
      optional: true,
    },
    { name: 'buttonText', label: 'Button text', optional: true },
    { name: 'buttonUrl', label: 'Button link', optional: true },
    { name: 'iconType', label: 'Icon', kind: 'choice', optional: true, options: ['heart', 'shield', 'zap'] },
  ],
};
/** The number of frames is not content, because sales change it. */
export const stockTexts = {
  label: 'Stock',
  where: 'How many frames you have left to sell. Bring Your Own Frame orders don’t use any.',
};
/** Reviews are written by buyers, so they have no fields to edit. The owner can show, hide and answer them. */
export const reviewsTexts = {
  label: 'Reviews',
  where: 'What buyers say. A review appears on the product page once you approve it.',
};
/** Buyers make gift cards, so they have no fields to edit. The owner can send a card again and void it. */
export const giftCardsTexts = {
  label: 'Gift cards',
  where: 'The gift cards you sold, and what you owe on them. You never see a code, only its last four characters.',
};
export const aboutLabels: Record<(typeof aboutSections)[number], string> = {
  hero: 'Hero',
  'story-1': 'Story 1',
  'story-2': 'Story 2',
  'values-1': 'Value 1',
  'values-2': 'Value 2',
  'values-3': 'Value 3',
  team: 'Team',
  cta: 'Call to action',
};

/**
 * The schema of each form. The value of a form is always an object, so the schema of a list has the list as `items`.
 */
export const sectionFormSchemas = {
  hero: Hero,
  site: SiteForm,
  shipping: ShippingForm,
  frame: FrameFacts,
  features: z.object({ items: Features }),
  steps: z.object({ items: Steps }),
  promos: z.object({ items: Promos }),
  faqs: z.object({ items: Faqs }),
  about: AboutSection,
};
