import { expect, test } from 'vitest';
import { GalleryItem, Hero } from './content-forms.ts';
import { foreignOrigin, isMediaAddress } from './media-address.ts';

test('a picture lies on this site or on another one, over https', () => {
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

test('a host that would end a rule of the policy early is no host', () => {
  expect(foreignOrigin('https://cdn.example.com/a.jpg')).toBe('https://cdn.example.com');
  expect(foreignOrigin('https://user:secret@CDN.example.com/a.jpg')).toBe('https://cdn.example.com');
  for (const address of ["https://a.com;script-src'unsafe-inline'/x.jpg", 'https://a.com,b/x.jpg', 'https://*/x.jpg'])
    expect(foreignOrigin(address), address).toBeUndefined();
});

test('content with an address that could not show is refused in words', () => {
  const item = { id: 1, title: 'Kite', caption: '', beforeImage: 'http://cdn.example.com/kite.jpg' };
  expect(GalleryItem.safeParse(item).error?.issues[0]?.message).toBe(
    'Please enter a path on this site, like /media/picture.jpg, or an address that begins with https://',
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
    'Please enter a path on this site, like /gallery, or an address that begins with https://',
  );
});
