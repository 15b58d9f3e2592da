import * as z from 'zod';
import type { $ZodType } from 'zod/v4/core';
import {
  AboutSection,
  aboutSections,
  ServerSettings,
  ShippingForm,
  ShopSettings,
  SiteForm,
} from '#contract/content-forms.ts';
import { contentSections, type ContentSection } from '#contract/content.ts';
import type { Operations } from '#contract/operation.ts';
import type { PanelArea } from './areas.ts';
import { photoRefusals } from '#contract/photos.ts';

/** The area of each section. The calls of a section, and its history, belong to it. */
export const sectionAreas = {
  hero: 'content',
  features: 'content',
  steps: 'content',
  site: 'settings',
  shipping: 'settings',
  settings: 'money',
  frame: 'content',
  promos: 'money',
  products: 'money',
  faqs: 'content',
  gallery: 'content',
  about: 'content',
  testimonials: 'content',
} as const satisfies Record<ContentSection, PanelArea>;

const createReadOperation = <S extends ContentSection>(section: S) => ({
  summary: `Read the whole ${section} section for editing`,
  who: 'admin' as const,
  area: sectionAreas[section],
  response: contentSections[section],
});
/**
 * The version that the edit started from, as returned by content-versions. If someone else has saved since, nothing is
 * written. The response is then 409 `content-changed` with the details `yours`, `theirs` and the `version` of `theirs`.
 */
const versionQuery = z.strictObject({
  version: z.string().max(64).optional(),
  /** Accepted in the query, because the guard reads the admin key there. */
  admin_key: z.string().max(256).optional(),
});
/** A file that the owner uploaded for pages: its stored name and its address. */
const UploadedMedia = z
  .object({ filename: z.string(), url: z.string(), type: z.enum(['image', 'video']) })
  .meta({ id: 'UploadedMedia' });
export type UploadedMedia = z.infer<typeof UploadedMedia>;
const createUploadOperation = (summary: string) => ({
  summary,
  who: 'admin' as const,
  area: 'content' as const,
  multipart: true as const,
  response: UploadedMedia,
  refusals: [
    'no-media',
    'media-type',
    'media-too-large',
    'image-needed',
    'video-needed',
    'video-unplayable',
    'file-too-large',
    ...photoRefusals,
  ] as const,
});

const createWriteOperation = <S extends ContentSection, B extends $ZodType>(section: S, body: B) => ({
  summary: `Replace the ${section} section on all pages`,
  who: 'admin' as const,
  area: sectionAreas[section],
  query: versionQuery,
  body,
  response: contentSections[section],
  refusals: ['content-changed'] as const,
});
/** A unit that is edited and versioned separately: a section, or a part of the about page. */
export type EditableContent = ContentSection | `about/${(typeof aboutSections)[number]}`;

/** Sections that are read and replaced as one file each. */
export const contentFileSections = [
  'hero',
  'features',
  'steps',
  'site',
  'shipping',
  'settings',
  'frame',
  'promos',
  'faqs',
] as const satisfies ContentSection[];
/** Content whose older versions can be restored. */
const contentWithHistory = [
  ...contentFileSections,
  'gallery' as const,
  ...aboutSections.map((part) => `about/${part}` as const),
] as const;
export type VersionedContent = (typeof contentWithHistory)[number];
/** The number of saved versions that the history shows. */
export const maxHistoryVersions = 50;

/** What the owner edits in the panel's Content tab: one file per section, as under /data. */
export const ownerContent = {
  'GET /api/admin/content/hero.json': createReadOperation('hero'),
  'PUT /api/admin/content/hero.json': createWriteOperation('hero', contentSections.hero),
  'GET /api/admin/content/features.json': createReadOperation('features'),
  'PUT /api/admin/content/features.json': createWriteOperation('features', contentSections.features),
  'GET /api/admin/content/steps.json': createReadOperation('steps'),
  'PUT /api/admin/content/steps.json': createWriteOperation('steps', contentSections.steps),
  'GET /api/admin/content/site.json': createReadOperation('site'),
  /** Notifications about changes to the sign-in go to this email address, so saving it needs a step-up. */
  'PUT /api/admin/content/site.json': { ...createWriteOperation('site', SiteForm), stepUp: true },
  'GET /api/admin/content/shipping.json': createReadOperation('shipping'),
  'PUT /api/admin/content/shipping.json': createWriteOperation('shipping', ShippingForm),
  'GET /api/admin/content/settings.json': {
    ...createReadOperation('settings'),
    summary: 'Read the owner’s settings for editing',
  },
  'PUT /api/admin/content/settings.json': {
    ...createWriteOperation('settings', ShopSettings),
    summary: 'Save the owner’s settings; they apply at once, except where an environment variable is set',
  },
  'GET /api/admin/content/frame.json': createReadOperation('frame'),
  'PUT /api/admin/content/frame.json': createWriteOperation('frame', contentSections.frame),
  'GET /api/admin/content/promos.json': createReadOperation('promos'),
  'PUT /api/admin/content/promos.json': createWriteOperation('promos', contentSections.promos),
  'GET /api/admin/content/faqs.json': createReadOperation('faqs'),
  'PUT /api/admin/content/faqs.json': createWriteOperation('faqs', contentSections.faqs),
  'GET /api/admin/gallery': {
    summary: 'Read the whole gallery for editing',
    who: 'admin',
    area: 'content',
    response: contentSections.gallery,
  },
  'PUT /api/admin/gallery': {
    summary: 'Replace the gallery on all pages with these items, as an array or in `items`',
    who: 'admin',
    area: 'content',
    query: versionQuery,
    body: z.union([contentSections.gallery, z.object({ items: contentSections.gallery })]),
    response: contentSections.gallery,
    refusals: ['content-changed'],
  },
  'POST /api/admin/gallery/upload': createUploadOperation(
    'Store a picture or video for the gallery (parts: file, and optionally type: image or video)',
  ),
  'POST /api/admin/content/upload': createUploadOperation(
    'Store a picture or video for a section (parts: file, section)',
  ),
  'GET /api/admin/content-versions': {
    summary: 'Read the version of each section and part; request it before you read and edit the content',
    who: 'admin',
    area: 'content',
    response: z.object({
      /** The version of each section. A part of the about page is named like about/hero. */
      versions: z.record(z.string(), z.string()),
      /** Sections whose saved content this release cannot read. The default is shown instead. */
      unreadable: z.array(z.string()),
    }),
  },
  'GET /api/admin/content-history': {
    summary: 'List the last versions of a section, or of a part of the about page (such as about/hero), newest first',
    who: 'admin',
    area: 'content',
    query: z.strictObject({
      section: z.enum(contentWithHistory, 'There is no history with this name.'),
      /** Accepted in the query, because the guard reads the admin key there. */
      admin_key: z.string().max(256).optional(),
    }),
    response: z.object({
      /** The published content and its version. A PUT that restores an older version sends this version. */
      now: z.unknown(),
      version: z.string(),
      versions: z.array(
        z.object({
          id: z.string(),
          /** When the version was saved. Null for the content before the first save. */
          at: z.iso.datetime().nullable(),
          /**
           * The content to PUT for restoring this version. Null if there was no content, or if this release can no
           * longer read it.
           */
          value: z.unknown(),
          isNow: z.boolean(),
          /** Addresses of uploaded images and videos in this version that no longer exist. */
          gone: z.array(z.string()),
        }),
      ),
    }),
  },
  'GET /api/admin/shipping-settings': {
    summary: 'Read the numbers of days that the server sets, and the numbers in use',
    who: 'admin',
    area: 'settings',
    response: z.object({
      /** Numbers from the environment variables HANDLING_DAYS and TRANSIT_DAYS. They win over the saved ones. */
      setByServer: z.object({ handlingDays: z.int().optional(), transitDays: z.int().optional() }),
      inUse: z.object({ handlingDays: z.int(), transitDays: z.int() }),
    }),
  },
  'GET /api/admin/shop-settings': {
    summary: 'Read the settings that the server sets by environment variables, and whether previews are possible',
    who: 'admin',
    area: 'money',
    response: z.object({
      /** Only the settings whose environment variable is set. They win over the saved ones. */
      setByServer: ServerSettings,
      /** False with ANIMATOR other than local. Then there are no previews and no free videos, whatever is saved. */
      canPreview: z.boolean(),
    }),
  },
  'GET /api/admin/promotion-uses': {
    summary: 'List how often each promotion code is reserved or used, with codes in upper case',
    who: 'admin',
    area: 'money',
    response: z.array(z.object({ code: z.string(), used: z.int() })),
  },
  'GET /api/admin/about-content': createReadOperation('about'),
  'PUT /api/admin/about-content/:section': {
    summary: 'Replace one section of the about page',
    who: 'admin',
    area: 'content',
    params: z.object({ section: z.enum(aboutSections) }),
    query: versionQuery,
    body: AboutSection,
    response: contentSections.about,
    refusals: ['content-changed'],
  },
} satisfies Operations;
