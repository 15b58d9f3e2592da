import type { Content } from './content.ts';

/**
 * The default home page content. It is used until the owner edits it, and when a document is empty or cannot be read
 * (specification 1, section 7). It is plain data for both the browser and the server. The other defaults are in
 * shop/content/defaults.ts.
 */
export const builtInHero: Content<'hero'> = {
  backgroundVideo: '/media/hero/home.mp4',
  title: 'The photos you love,',
  titleHighlight: 'moving again.',
  subtitle:
    'A 10-inch Wi-Fi picture frame filled with your own family photos, each one turned into a short, lifelike video.',
  ctaText: 'Choose your package',
  ctaUrl: '/?select-product=true',
};

export const builtInFeatures: Content<'features'> = [
  {
    icon: 'Gift',
    title: 'A gift they will keep on display',
    description:
      'It stands on a shelf like any picture frame, until something in it moves. Plug it in, connect it to Wi-Fi, and it plays.',
  },
  {
    icon: 'Sparkles',
    title: 'Movement, not make-believe',
    description:
      'A breath, a breeze, light crossing a face. We bring out the life that is already in the photo, and leave the rest alone.',
  },
  {
    icon: 'Lock',
    title: 'Private and secure',
    description:
      'Your photos are stored privately and used for one thing: making your videos. Where they were taken stays between you and us.',
  },
  {
    icon: 'Zap',
    title: 'Ready in 24-72 hours',
    description:
      'We email you as soon as your videos are ready. They arrive on the frame over Wi-Fi, and you get a backup link by email.',
  },
];

export const builtInSteps: Content<'steps'> = [
  {
    number: 1,
    title: 'Order your frame',
    description: 'Take the Kinframe, with free shipping, or the service alone for a compatible frame you already own.',
    image: '/media/steps/choose-1200.jpg',
  },
  {
    number: 2,
    title: 'Upload your photos',
    description:
      'Pick twenty favorites from your phone or computer. Old prints are welcome. Just take a good photo of them.',
    image: '/media/steps/upload-1200.jpg',
  },
  {
    number: 3,
    title: 'Watch them come alive',
    description: 'Within 24-72 hours your photos are short videos. On the frame they play where everyone can see them.',
    image: '/media/steps/watch-1200.jpg',
  },
];
