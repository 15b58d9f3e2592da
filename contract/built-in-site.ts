import type { Content } from './content.ts';

/** The default Site Settings, until the owner edits them. Every page loads these. */
export const builtInSite: Content<'site'> = {
  name: 'Kinframe',
  tagline: 'Family photos, gently brought to life.',
  description:
    'A 10-inch Wi-Fi picture frame that plays your own family photos, each one turned into a short, lifelike video.',
  contactEmail: 'support@kinframe.example',
  phone: '',
};
