import * as z from 'zod';
import { AboutSection, aboutSections } from './content-forms.ts';
import { contentSections, type ContentSection } from './content.ts';
import type { Operations } from './operation.ts';

const read = <S extends ContentSection>(section: S) => ({
  summary: `The ${section} section, whole, to be edited`,
  who: 'admin' as const,
  response: contentSections[section],
});
const write = <S extends ContentSection>(section: S) => ({
  summary: `Replace the ${section} section; every page shows it from then on`,
  who: 'admin' as const,
  body: contentSections[section],
  response: contentSections[section],
});

/** What the owner edits in the panel's Content tab: one file a section, as /data has them. */
export const adminContent = {
  'GET /api/admin/content/hero.json': read('hero'),
  'PUT /api/admin/content/hero.json': write('hero'),
  'GET /api/admin/content/features.json': read('features'),
  'PUT /api/admin/content/features.json': write('features'),
  'GET /api/admin/content/steps.json': read('steps'),
  'PUT /api/admin/content/steps.json': write('steps'),
  'GET /api/admin/content/site.json': read('site'),
  'PUT /api/admin/content/site.json': write('site'),
  'GET /api/admin/content/promos.json': read('promos'),
  'PUT /api/admin/content/promos.json': write('promos'),
  'GET /api/admin/content/faqs.json': read('faqs'),
  'PUT /api/admin/content/faqs.json': write('faqs'),
  'GET /api/admin/promotion-uses': {
    summary: 'How often each promotion code is held or spent; codes in upper case',
    who: 'admin',
    response: z.array(z.object({ code: z.string(), used: z.int() })),
  },
  'GET /api/admin/about-content': read('about'),
  'PUT /api/admin/about-content/:section': {
    summary: 'Replace one section of the about page',
    who: 'admin',
    params: z.object({ section: z.enum(aboutSections) }),
    body: AboutSection,
    response: contentSections.about,
  },
} satisfies Operations;
