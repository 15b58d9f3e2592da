import type { Content } from './content.ts';

/**
 * What pages say until the owner says otherwise, and whenever a document is empty or cannot be read (specification 1,
 * section 7). Plain data for both sides; the rest of the built-in content stands in shop/content/defaults.ts.
 */
export const builtInSite: Content<'site'> = {
  name: 'Kinframe',
  tagline: 'Family photos, gently brought to life.',
  description:
    'A 10-inch Wi-Fi picture frame that comes with your own family photos, each one turned into a short living video.',
  contactEmail: 'support@kinframe.example',
  phone: '',
};

export const builtInHero: Content<'hero'> = {
  backgroundVideo: '/media/hero/home.mp4',
  title: 'The photos you love,',
  titleHighlight: 'moving again.',
  subtitle:
    'A 10-inch Wi-Fi picture frame filled with your own family photos, each one turned into a short living video.',
  ctaText: 'Choose your package',
  ctaUrl: '/?select-product=true',
};

export const builtInFeatures: Content<'features'> = [
  {
    icon: 'Gift',
    title: 'A gift that stays out',
    description:
      'It stands on a shelf like any picture frame, until someone in it smiles. Plug it in, join the Wi-Fi, and it plays.',
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
      'We write to you as soon as your videos are ready. They arrive on the frame over Wi-Fi, with a backup link in your e-mail.',
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
      'Pick twenty favorites from your phone or computer. Old prints welcome: a good snapshot of them is enough.',
    image: '/media/steps/upload-1200.jpg',
  },
  {
    number: 3,
    title: 'Watch them come alive',
    description: 'Within 24-72 hours your photos are short videos, playing in the room where everyone can see them.',
    image: '/media/steps/watch-1200.jpg',
  },
];

const noButton = { buttonText: '', buttonUrl: '' };

export const builtInAbout: Content<'about'> = [
  {
    section: 'hero',
    title: 'We keep families moving.',
    subtitle: 'A small shop for pictures that deserve better than a phone.',
    content:
      'Kinframe makes one thing: a picture frame that arrives with your family already in it, and already alive.',
    imageUrl: '/media/about/hero-1200.jpg',
    imageAlt: 'A Kinframe on a shelf in evening sun plays an old sepia seaside picture, beside knitting and a teapot.',
    buttonText: 'Meet the frame',
    buttonUrl: '/product/kinframe',
  },
  {
    section: 'story-1',
    title: 'It began with a shoebox',
    subtitle: 'Where the idea comes from',
    content:
      'Most families have one: a box of prints nobody has opened in years. And on the phone, ten thousand pictures nobody scrolls back to. The photos are not lost, they are only out of sight.\n\nWe wondered what would happen if twenty of the best were simply there, on the sideboard, every day. And if they moved, just a little, the way you remember them.',
    imageUrl: '/media/about/story-2-1200.jpg',
    imageAlt: 'The frame plays an old sepia picture of a family by the sea.',
    ...noButton,
  },
  {
    section: 'story-2',
    title: 'Oak, paper white, and a quiet screen',
    subtitle: 'How it is made',
    content:
      'We wanted an object your grandmother would choose, not a gadget someone set up for her. So the frame is oak, the mat is the color of good paper, and nothing blinks.\n\nThe animation is just as restrained. It adds movement to your photo and takes nothing away, so what you see is always the picture you took.',
    imageUrl: '/media/about/story-1-1200.jpg',
    imageAlt: 'Oak rails with mitred ends, a hand plane and curled shavings on a workbench.',
    ...noButton,
  },
  {
    section: 'values-1',
    title: 'Made to be given',
    subtitle: '',
    content:
      'Nearly everything about Kinframe was decided by asking who opens the box. No subscription, and nothing to learn.',
    imageUrl: '',
    imageAlt: '',
    iconType: 'heart',
    ...noButton,
  },
  {
    section: 'values-2',
    title: 'Yours, and only yours',
    subtitle: '',
    content:
      'Photos are private from the moment you upload them. We do not sell them, show them, or keep them longer than we say.',
    imageUrl: '',
    imageAlt: '',
    iconType: 'shield',
    ...noButton,
  },
  {
    section: 'values-3',
    title: 'Days, not weeks',
    subtitle: '',
    content: 'Your videos are ready 24-72 hours after you finish uploading, and we tell you the moment they are.',
    imageUrl: '',
    imageAlt: '',
    iconType: 'zap',
    ...noButton,
  },
  {
    section: 'team',
    title: 'A small team that answers',
    subtitle: 'Who you are talking to',
    content:
      'We are few, and like it that way: the people who look at your videos are the people who answer your mail. Write to us, and one of us writes back, typically within 24 hours on business days.',
    imageUrl: '/media/about/team-1200.jpg',
    imageAlt: 'The packing bench: three frames being tested, one laid in tissue in its box, parcels around.',
    ...noButton,
  },
  {
    section: 'cta',
    title: 'Which twenty would you choose?',
    subtitle: '',
    content: 'Start with the photo you would save first. The rest tend to follow.',
    imageUrl: '',
    imageAlt: '',
    buttonText: 'Shop Kinframe',
    buttonUrl: '/product/kinframe',
  },
];
