import { expect, test } from 'vitest';
import { GalleryItem, Hero } from './content-forms.ts';
import { findForeignOrigin, isMediaAddress } from './media-address.ts';

test('accepts images on this site and https images on other sites, and nothing else', () => {
  for (const address of [
    '/media/kite.jpg',
    'https://cdn.example.com/a b.jpg?x=1',
    'https://cdn.example.com:8443/a.mp4',
  ])
    expect(isMediaAddress(address), address).toBe(true);
  for (const address of [
    'http://cdn.example.com/a.jpg',
    '//cdn.example.com/a.jpg',
    '/\\cdn.example.com/a.jpg',
    'data:image/png;base64,AAAA',
    'javascript:alert(1)',
    'kite.jpg',
  ])
    expect(isMediaAddress(address), address).toBe(false);
});

test('findForeignOrigin returns undefined for a host that could change the Content-Security-Policy', () => {
  expect(findForeignOrigin('https://cdn.example.com/a.jpg')).toBe('https://cdn.example.com');
  expect(findForeignOrigin('https://user:secret@CDN.example.com/a.jpg')).toBe('https://cdn.example.com');
  for (const address of ["https://a.com;script-src'unsafe-inline'/x.jpg", 'https://a.com,b/x.jpg', 'https://*/x.jpg'])
    expect(findForeignOrigin(address), address).toBeUndefined();
});

test('refuses content with an image address that cannot be shown, and content with a javascript: link', () => {
  const item = { id: 1, title: 'Kite', caption: '', beforeImage: 'http://cdn.example.com/kite.jpg' };
  expect(GalleryItem.safeParse(item).error?.issues[0]?.message).toBe(
    'Please enter a path on this site, like /media/picture.jpg, or a link that starts with https://',
  );
  expect(GalleryItem.safeParse({ ...item, beforeImage: 'https://cdn.example.com/kite.jpg' }).success).toBe(true);
  const hero = {
    title: 'Look',
    titleHighlight: '',
    subtitle: '',
    ctaText: '',
    backgroundVideo: '/media/hero/home.mp4',
  };
  expect(Hero.safeParse({ ...hero, ctaUrl: 'javascript:alert(1)' }).error?.issues[0]?.message).toBe(
    'Please enter a path on this site, like /gallery, or a link that starts with https://',
  );
});
