// Rebuilds public/media, the icons and the sample photos from raw renders.
// node art/build.ts [gallery|examples|product|hero|emails|social|brand|samples] [name…]
import { renderBrandImages } from './brand.ts';
import { galleryEntries } from './gallery/pieces.ts';
import { renderExampleVideo } from './gallery/example.ts';
import { renderGalleryStill } from './gallery/still.ts';
import { renderHeroVideo } from './hero.ts';
import { makeEmailPictures } from './email-pictures.ts';
import { renderPhoneShot, renderProductShot, productShots } from './product.ts';
import { renderSamplePhotos } from './samples.ts';
import { renderSocialImages } from './social.ts';

const [only, ...names] = process.argv.slice(2);
const isPartWanted = (part: string) => !only || only === part;
const isNameWanted = (name: string) => names.length === 0 || names.includes(name);

if (isPartWanted('gallery'))
  for (const [name, piece] of Object.entries(galleryEntries))
    if (isNameWanted(name)) await renderGalleryStill(name, piece);
// Works without raw renders: uses the stills in public/media.
if (isPartWanted('gallery') || isPartWanted('examples'))
  for (const [name, piece] of Object.entries(galleryEntries))
    if (isNameWanted(name)) await renderExampleVideo(name, piece);
if (isPartWanted('product')) {
  const phoneShot = productShots.some((s) => isNameWanted(s.key) && s.screens?.['phone'] !== undefined)
    ? await renderPhoneShot()
    : Buffer.alloc(0);
  for (const shot of productShots) if (isNameWanted(shot.key)) await renderProductShot(shot, phoneShot);
}
if (isPartWanted('hero')) await renderHeroVideo();
// Works without raw renders: uses the product's pictures in public/media.
if (isPartWanted('emails')) await makeEmailPictures();
if (isPartWanted('brand')) await renderBrandImages();
if (isPartWanted('social')) await renderSocialImages(names);
if (isPartWanted('samples')) await renderSamplePhotos(names);
