import { findForeignOrigin } from '#contract/media-address.ts';
import type { ReadContent } from './content.ts';

/** The origins (https://host) of pictures and videos in content that are loaded from other sites. */
export async function readMediaOrigins(readContent: ReadContent): Promise<string[]> {
  const [products, gallery, hero, features, steps, about] = await Promise.all([
    readContent('products'),
    readContent('gallery'),
    readContent('hero'),
    readContent('features'),
    readContent('steps'),
    readContent('about'),
  ]);
  const addresses = [
    ...products.flatMap(({ image, images }) => [image, ...images]),
    ...gallery.flatMap(({ beforeImage, afterVideo }) => [beforeImage, afterVideo]),
    hero.backgroundVideo,
    ...[...features, ...steps].map((it) => it.image),
    ...about.map((it) => it.imageUrl),
  ];
  const origins = addresses.map((it) => (it?.startsWith('https:') ? findForeignOrigin(it) : undefined));
  return [...new Set(origins.filter((it) => it !== undefined))].toSorted();
}
