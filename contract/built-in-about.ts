import type { Content } from './content.ts';

const noButton = { buttonText: '', buttonUrl: '' };

/** The default about page sections. Each is used until the owner edits it. */
export const builtInAbout: Content<'about'> = [
  {
    section: 'hero',
    title: 'We keep families moving.',
    subtitle: 'A small shop for pictures that deserve better than a phone.',
    content:
      'Kinframe makes one thing: a picture frame that brings your own family photos to life, on the shelf where everyone sees them.',
    imageUrl: '/media/about/hero-1200.jpg',
    imageAlt: 'A Kinframe on a shelf in evening sun shows a birthday cake, next to knitting and a teapot.',
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
    subtitle: 'How it’s made',
    content:
      'We wanted an object your grandmother would choose, not a gadget someone set up for her. So the frame is oak, the mat is the color of good paper, and nothing blinks.\n\nThe animation is just as restrained. It adds movement to your photo and takes nothing away, so what you see is always the picture you took.',
    imageUrl: '/media/about/story-1-1200.jpg',
    imageAlt: 'Oak rails with mitered ends, a hand plane and curled shavings on a workbench.',
    ...noButton,
  },
  {
    section: 'values-1',
    title: 'Made to be given',
    subtitle: '',
    content: 'We designed Kinframe for the person who opens the box. There is no subscription and nothing to learn.',
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
    content: 'Your videos are ready 24-72 hours after you finish uploading, and we email you the moment they are.',
    imageUrl: '',
    imageAlt: '',
    iconType: 'zap',
    ...noButton,
  },
  {
    section: 'team',
    title: 'A small team that answers',
    subtitle: 'Who you will be talking to',
    content:
      'We’re a small team: the people who check your videos are the people who answer your emails. Write to us, and one of us will write back, typically within 24 hours on business days.',
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
