import * as z from 'zod/mini';
import {
  AboutSection,
  type aboutSections,
  Faqs,
  featureIcons,
  Features,
  Hero,
  Promos,
  SiteForm,
  Steps,
} from '#contract/content-forms.ts';

export interface FieldWords {
  name: string;
  label: string;
  kind?: 'text' | 'long' | 'media' | 'day' | 'number' | 'choice';
  hint?: string;
  optional?: boolean;
  /** Takes a line of its own. */
  wide?: boolean;
  /** Of a choice; nothing chosen is a choice, too. */
  options?: readonly string[];
}

interface Section {
  label: string;
  /** Where visitors see it. */
  where: string;
  fields: FieldWords[];
}
export interface ListWords {
  /** One of them: "question". */
  item: string;
  /** What a new one has beside its fields. */
  blank: Record<string, unknown>;
  empty: string;
}

const media = (name: string, label: string, optional = true): FieldWords => ({
  name,
  label,
  kind: 'media',
  optional,
  hint: 'Upload a file, or enter its address.',
});

const title: FieldWords = { name: 'title', label: 'Title' };
const description: FieldWords = { name: 'description', label: 'Description', kind: 'long' };

const socialHint = 'The address of the shop’s own page there; without one the foot of each page shows no link.';

/** Sections that are one thing each. */
export const objects: Record<'hero' | 'site', Section> = {
  hero: {
    label: 'Hero',
    where: 'The top of the home page.',
    fields: [
      title,
      {
        name: 'titleHighlight',
        label: 'Highlighted title',
        hint: 'Stands below the title, in the accent color.',
        optional: true,
      },
      { name: 'subtitle', label: 'Subtitle', kind: 'long', optional: true },
      { name: 'ctaText', label: 'Button text', optional: true },
      { name: 'ctaUrl', label: 'Button link', optional: true },
      media('backgroundVideo', 'Background film or picture'),
    ],
  },
  site: {
    label: 'Site Settings',
    where: 'The name and contact on every page, in mails and for search engines.',
    fields: [
      { name: 'name', label: 'Name of the shop' },
      { name: 'tagline', label: 'Tagline', optional: true },
      { name: 'description', label: 'Description', kind: 'long', optional: true },
      {
        name: 'contactEmail',
        label: 'Contact e-mail',
        hint: 'Customers write here, and the shop tells you of sales here.',
      },
      { name: 'phone', label: 'Phone', optional: true },
      { name: 'facebookUrl', label: 'Facebook', optional: true, hint: socialHint },
      { name: 'instagramUrl', label: 'Instagram', optional: true, hint: socialHint },
      { name: 'youtubeUrl', label: 'YouTube', optional: true, hint: socialHint },
    ],
  },
};

/** Sections that are lists, in the order visitors see. */
export const lists: Record<'features' | 'steps' | 'promos' | 'faqs', Section & ListWords> = {
  features: {
    label: 'Feature Cards',
    where: 'Below the hero of the home page.',
    item: 'card',
    blank: {},
    empty: 'While there are none, the built-in cards show.',
    fields: [
      title,
      description,
      media('image', 'Picture'),
      {
        name: 'icon',
        label: 'Icon',
        kind: 'choice',
        optional: true,
        hint: 'Shows where there is no picture.',
        options: featureIcons,
      },
    ],
  },
  steps: {
    label: 'How It Works',
    where: 'The steps on the home page and on How It Works, numbered from the first.',
    item: 'step',
    blank: { number: 0 },
    empty: 'While there are none, the built-in steps show.',
    fields: [title, description, media('image', 'Picture')],
  },
  promos: {
    label: 'Promotions',
    where: 'The banner on every page, from its first day to its last, and the codes customers enter at checkout.',
    item: 'promotion',
    blank: {},
    empty: 'No promotion is announced, and no code is accepted.',
    fields: [
      { name: 'message', label: 'Announcement', wide: true },
      { name: 'startDate', label: 'First day', kind: 'day' },
      { name: 'endDate', label: 'Last day', kind: 'day', hint: 'Included, in New York time.' },
      { name: 'discountCode', label: 'Code', optional: true, hint: 'Customers may write it in any case.' },
      {
        name: 'discountPercent',
        label: 'Percent off',
        kind: 'number',
        optional: true,
        hint: 'Of the merchandise, 99 at most.',
      },
      {
        name: 'usageCap',
        label: 'At most so many uses',
        kind: 'number',
        optional: true,
        hint: 'Over the code’s whole life.',
      },
    ],
  },
  faqs: {
    label: 'FAQs',
    where: 'The FAQ page; the first three also on the home page.',
    item: 'question',
    blank: {},
    empty: 'There are no questions yet.',
    fields: [
      { name: 'question', label: 'Question', wide: true },
      { name: 'answer', label: 'Answer', kind: 'long' },
    ],
  },
};

export const about: Section = {
  label: 'About Us',
  where: 'The about page, part by part.',
  fields: [
    { ...title, optional: true },
    { name: 'subtitle', label: 'Subtitle', optional: true },
    { name: 'content', label: 'Text', kind: 'long', optional: true, hint: 'An empty line begins a new paragraph.' },
    media('imageUrl', 'Picture'),
    {
      name: 'imageAlt',
      label: 'What the picture shows',
      hint: 'Read aloud to people who cannot see it.',
      optional: true,
    },
    { name: 'buttonText', label: 'Button text', optional: true },
    { name: 'buttonUrl', label: 'Button link', optional: true },
    { name: 'iconType', label: 'Icon', kind: 'choice', optional: true, options: ['heart', 'shield', 'zap'] },
  ],
};
/** Not the owner's words: read, shown, hidden and answered. */
export const reviews = {
  label: 'Reviews',
  where: 'What buyers say, on the page of what they bought, once you have read it.',
};
export const aboutWords: Record<(typeof aboutSections)[number], string> = {
  hero: 'Hero',
  'story-1': 'Story 1',
  'story-2': 'Story 2',
  'values-1': 'Value 1',
  'values-2': 'Value 2',
  'values-3': 'Value 3',
  team: 'Team',
  cta: 'Call to action',
};

/** A form holds one object, so a list is its `items`. */
export const formOf = {
  hero: Hero,
  site: SiteForm,
  features: z.object({ items: Features }),
  steps: z.object({ items: Steps }),
  promos: z.object({ items: Promos }),
  faqs: z.object({ items: Faqs }),
  about: AboutSection,
};
