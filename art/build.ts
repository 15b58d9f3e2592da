// Rebuilds public/media, the icons and the sample photos from raw renders.
// node art/build.ts [gallery|examples|product|hero|letters|social|brand|samples] [name…]
import { renderBrandImages } from './brand.ts';
import { galleryEntries } from './gallery/pieces.ts';
import { renderExampleVideo } from './gallery/example.ts';
import { renderGalleryStill } from './gallery/still.ts';
import { renderHeroVideo } from './hero.ts';
import { letters } from './letters.ts';
import { renderPhoneShot, renderProductShot, productShots } from './product.ts';
import { renderSamplePhotos } from './samples.ts';
import { renderSocialImages } from './social.ts';

const [only, ...names] = process.argv.slice(2);
const wanted = (part: string) => !only || only === part;
const named = (name: string) => names.length === 0 || names.includes(name);

if (wanted('gallery'))
  for (const [name, piece] of Object.entries(galleryEntries)) if (named(name)) await renderGalleryStill(name, piece);
// Works without raw renders: uses the stills in public/media.
if (wanted('gallery') || wanted('examples'))
  for (const [name, piece] of Object.entries(galleryEntries)) if (named(name)) await renderExampleVideo(name, piece);
if (wanted('product')) {
  const phone = productShots.some((s) => named(s.key) && s.screens?.['phone'] !== undefined)
    ? await renderPhoneShot()
    : Buffer.alloc(0);
  for (const shot of productShots) if (named(shot.key)) await renderProductShot(shot, phone);
}
if (wanted('hero')) await renderHeroVideo();
// Works without raw renders: uses the product's pictures in public/media.
if (wanted('letters')) await letters();
if (wanted('brand')) await renderBrandImages();
if (wanted('social')) await renderSocialImages(names);
if (wanted('samples')) await renderSamplePhotos(names);
