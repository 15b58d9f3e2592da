// Pictures of products, steps and the about page: renders with gallery pictures on their screens.
import sharp from 'sharp';
import { placeOnScreen, openRenderedImage, encodePng, normalizePaperBrightness } from './compose.ts';
import { renderPhoneScreen } from './phone-screen.ts';
import { publishPicture } from './pictures.ts';
import { rawFilePath } from './places.ts';

interface Shot {
  key: string;
  scene: string;
  alt: string;
  /** For each screen in the product picture, by its name: the gallery picture that it shows. */
  screens?: Record<string, string>;
  brightness?: number;
  /** Blur of the inserted picture, if the frame is out of focus. */
  soft?: number;
  /** For studio shots: the paper gets the color of the page's background. */
  onPaper?: boolean;
  /** A part of the render, as fractions. */
  crop?: { x: number; y: number; w: number; h: number };
  /**
   * The width of the published picture: twice the largest width on a page. Absent if the render is not larger than
   * that.
   */
  width?: number;
}

const stillPath = (name: string) => rawFilePath(`stills/${name}.png`);

export const productShots: Shot[] = [
  {
    key: 'product/hero',
    scene: 'hero',
    width: 2160,
    screens: { screen: 'autumn' },
    alt: 'The Kinframe, an oak picture frame with a cream mat, on a sideboard in morning light; it shows an avenue in October. A cup on two books stands to the left, eucalyptus to the right.',
  },
  {
    key: 'product/front',
    scene: 'front',
    screens: { screen: 'sailboat' },
    onPaper: true,
    alt: 'The Kinframe from the front: slim oak frame, cream mat and a 10.1 inch screen showing sailing boats in a bay.',
  },
  {
    key: 'product/angle',
    scene: 'angle',
    screens: { screen: 'autumn' },
    onPaper: true,
    alt: 'The Kinframe from the side, standing on its oak easel leg, a fabric cable leading away behind it.',
  },
  {
    key: 'product/detail',
    scene: 'detail',
    alt: 'Close-up of a corner: oak grain, a clean mitre and the bevel-cut mat around the picture.',
  },
  {
    key: 'product/living-room',
    scene: 'living-room',
    screens: { screen: 'birthday' },
    alt: 'The Kinframe on a wooden console in the evening, between a lit lamp, books and a plant; a birthday cake glows on its screen.',
  },
  {
    key: 'product/gift',
    scene: 'gift',
    width: 1920,
    screens: { screen: 'cabin' },
    alt: 'The Kinframe beside two wrapped presents in kraft paper with ribbons, a snowy cabin on its screen.',
  },
  {
    key: 'product/byof',
    scene: 'byof',
    screens: { screen: 'garden', phone: '' },
    alt: 'A slim black digital frame of another make plays a garden scene; beside it a phone with the uploaded photos.',
  },
  {
    key: 'product/bundle',
    scene: 'bundle',
    screens: { screen: 'autumn' },
    alt: 'Printed photos lie fanned out on an oak table before the frame, where one of them, an autumn avenue, is playing.',
  },
  {
    key: 'steps/choose',
    scene: 'bench',
    screens: { 'screen-1': 'kite', 'screen-2': 'autumn', 'screen-3': 'sailboat', lying: 'cat' },
    crop: { x: 0.3, y: 0.06, w: 0.7, h: 0.8 },
    alt: 'A frame lies in its box on the packing bench, ribbon and parcels around it.',
  },
  {
    key: 'steps/upload',
    scene: 'phone',
    soft: 6,
    screens: { screen: 'garden', phone: '' },
    alt: 'A phone on a wooden rest shows photos being sent to the frame, which stands behind it.',
  },
  {
    key: 'steps/watch',
    scene: 'story',
    width: 1280,
    screens: { screen: 'balloons' },
    alt: 'The frame plays balloons rising through the mist, in the evening sun beside a teapot and balls of wool.',
  },
  {
    key: 'about/hero',
    scene: 'story',
    screens: { screen: 'birthday' },
    alt: 'The Kinframe on a shelf in evening sun shows a birthday cake, beside knitting, a teapot and autumn branches.',
  },
  {
    key: 'about/story-1',
    scene: 'wood',
    alt: 'Oak rails with mitred ends, a hand plane and curled shavings on a workbench.',
  },
  {
    key: 'about/story-2',
    scene: 'gift',
    screens: { screen: 'promenade' },
    crop: { x: 0, y: 0.14, w: 0.66, h: 0.7 },
    alt: 'The frame plays an old sepia picture beside a present.',
  },
  {
    key: 'about/team',
    scene: 'bench',
    screens: { 'screen-1': 'kite', 'screen-2': 'autumn', 'screen-3': 'cat', lying: 'garden' },
    alt: 'The packing bench: three frames being tested, one laid in tissue in its box, ribbon and stacked parcels around.',
  },
  {
    key: 'about/values',
    scene: 'detail',
    crop: { x: 0.05, y: 0.05, w: 0.8, h: 0.8 },
    alt: 'Oak grain and a mitred corner, close.',
  },
  { key: 'brand/not-found', scene: 'lost', onPaper: true, alt: 'A dark, empty frame; one blank print lies beside it.' },
];

export async function renderProductShot(shot: Shot, phone: Buffer) {
  const plate = await openRenderedImage(shot.scene);
  for (const [screen, picture] of Object.entries(shot.screens ?? {}))
    await placeOnScreen(
      plate,
      screen,
      picture ? stillPath(picture) : phone,
      shot.brightness ?? (picture ? 0.92 : 0.8),
      undefined,
      picture ? shot.soft : 0,
    );
  if (shot.onPaper) normalizePaperBrightness(plate, [250, 246, 239]);
  let image = await encodePng(plate);
  if (shot.crop) {
    const { x, y, w, h } = shot.crop;
    image = await sharp(image)
      .extract({
        left: Math.round(x * plate.width),
        top: Math.round(y * plate.height),
        width: Math.round(w * plate.width),
        height: Math.round(h * plate.height),
      })
      .png()
      .toBuffer();
  }
  if (shot.width) image = await sharp(image).resize(shot.width).png().toBuffer();
  await sharp(image).toFile(rawFilePath(`made-${shot.key.replace('/', '-')}.png`));
  await publishPicture(shot.key, image, shot.alt);
  console.log(shot.key);
}

export const renderPhoneShot = renderPhoneScreen;
