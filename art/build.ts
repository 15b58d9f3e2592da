// Rebuilds public/media, the icons and the sample photos from raw renders.
// node art/build.ts [gallery|examples|product|hero|letters|social|brand|samples] [name…]
import { brand } from './brand.ts';
import { pieces } from './gallery/pieces.ts';
import { example } from './gallery/example.ts';
import { still } from './gallery/still.ts';
import { hero } from './hero.ts';
import { letters } from './letters.ts';
import { phoneShot, renderProductShot, shots } from './product.ts';
import { samplePhotos } from './samples.ts';
import { social } from './social.ts';

const [only, ...names] = process.argv.slice(2);
const wanted = (part: string) => !only || only === part;
const named = (name: string) => names.length === 0 || names.includes(name);

if (wanted('gallery')) for (const [name, piece] of Object.entries(pieces)) if (named(name)) await still(name, piece);
// Works without raw renders: uses the stills in public/media.
if (wanted('gallery') || wanted('examples'))
  for (const [name, piece] of Object.entries(pieces)) if (named(name)) await example(name, piece);
if (wanted('product')) {
  const phone = shots.some((s) => named(s.key) && s.screens?.['phone'] !== undefined)
    ? await phoneShot()
    : Buffer.alloc(0);
  for (const shot of shots) if (named(shot.key)) await renderProductShot(shot, phone);
}
if (wanted('hero')) await hero();
// Works without raw renders: uses the product's pictures in public/media.
if (wanted('letters')) await letters();
if (wanted('brand')) await brand();
if (wanted('social')) await social(names);
if (wanted('samples')) await samplePhotos(names);
