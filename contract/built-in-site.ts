import type { Content } from './content.ts';

/** Site Settings until the owner edits them; every page loads these. */
export const builtInSite: Content<'site'> = {
  name: 'Kinframe',
  tagline: 'Family photos, gently brought to life.',
  description:
    'A 10-inch Wi-Fi picture frame that plays your own family photos, each one turned into a short living video.',
  contactEmail: 'support@kinframe.example',
  phone: '',
  // Placeholders until the shop has pages of its own there (specification 1, section 2).
  facebookUrl: 'https://www.facebook.com/',
  instagramUrl: 'https://www.instagram.com/',
  youtubeUrl: 'https://www.youtube.com/',
};
