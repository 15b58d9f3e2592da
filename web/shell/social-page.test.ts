import { expect, test } from 'vitest';
import { builtInSite } from '#contract/built-in-site.ts';
import { isShopsSocialPage } from './social-page.ts';

test('isShopsSocialPage is true for the shop’s page on a social network, and false for the network’s front page', () => {
  for (const address of [
    'https://www.facebook.com/otto',
    'https://www.youtube.com/@kinframe',
    'https://www.facebook.com/profile.php?id=7',
    'https://www.facebook.com/?page=7',
  ])
    expect(isShopsSocialPage(address), address).toBe(true);
  for (const address of [
    undefined,
    '',
    'https://www.facebook.com/',
    'https://www.instagram.com',
    'https://x.com//',
    'http://x.com/#a',
  ])
    expect(isShopsSocialPage(address), address).toBe(false);
});

test('the built-in site settings contain no page on a social network', () => {
  const { facebookUrl, instagramUrl, youtubeUrl } = builtInSite;
  expect([facebookUrl, instagramUrl, youtubeUrl].filter(isShopsSocialPage)).toEqual([]);
});
