import { builtInAbout } from '#contract/built-in-about.ts';
import { builtInFeatures, builtInHero, builtInSteps } from '#contract/built-in-content.ts';
import { builtInSettings } from '#contract/built-in-settings.ts';
import { builtInSite } from '#contract/built-in-site.ts';
import { kinframe, formatDollars, includedPhotoCounts, pricesInCents } from '#contract/catalog.ts';
import type { Content, ContentSection } from '#contract/content.ts';

const toDollars = (cents: number) => cents / 100;
const extraPackagePrice = formatDollars(pricesInCents.extraPackage);
const { device: base, extraPackage: more } = includedPhotoCounts;
const mediaPath = (name: string) => `/media/${name}-1200.jpg`;

const packageContents = `The frame with its stand, a power adapter with a cloth-covered cable, a printed start card, and the animation of ${base} photos.`;

const products: Content<'products'> = [
  {
    id: kinframe,
    name: 'Kinframe Digital Picture Frame',
    short: `A 10-inch oak frame with ${base} of your family photos, brought to life. Free shipping.`,
    long: `A picture frame that looks like one: solid oak, a paper-colored mat, and a calm 10-inch screen behind it. You choose ${base} photos, we turn each into a short, lifelike video, and they arrive on the frame over Wi-Fi. Then it simply plays, on a shelf, a sideboard or a nightstand.`,
    price: toDollars(pricesInCents[kinframe]),
    badge: 'Free shipping',
    image: mediaPath('product/front'),
    images: ['hero', 'front', 'living-room', 'angle', 'detail', 'gift'].map((name) => mediaPath(`product/${name}`)),
    features: [
      `${base} of your photos animated into short MP4 videos`,
      'Arrives over Wi-Fi, with nothing to copy',
      'A backup link by email, so the videos are yours to keep',
      'Ready 24-72 hours after you finish uploading',
      'No subscription: it plays for as long as you like',
      `Add ${more} more photos at any time for ${extraPackagePrice}`,
    ],
    specs: [
      { label: 'Screen', value: '10.1 inches, 1280 x 800 pixels' },
      { label: 'Frame', value: 'Oak with a cream mat, easel stand' },
      { label: 'Connection', value: 'Wi-Fi' },
      { label: 'Power', value: 'Power adapter and cloth-covered cable' },
      { label: 'Photos included', value: `${base}, animated` },
      { label: 'Video format', value: 'MP4' },
      { label: 'Recommended photos', value: 'JPG or PNG, at least 1200 x 1200 pixels' },
      { label: 'Shipping', value: 'Free to the United States and Canada' },
      { label: 'Warranty', value: '1-year limited warranty' },
      { label: 'Returns', value: '30 days' },
    ],
    included: packageContents,
    rating: { value: 4.8, count: 127 },
  },
  {
    id: 'photo2video-10',
    name: `+${more} AI Photo Package`,
    short: `${more} more photos, brought to life for your frame. Digital delivery in 24-72 hours.`,
    long: `Twenty photos go fast when everyone has favorites. This package adds ${more} more: upload them with the others, and they arrive on the same frame. Buy it together with your Kinframe, or add it later to a frame you own from My Uploads.`,
    price: toDollars(pricesInCents.extraPackage),
    badge: 'Digital delivery',
    image: mediaPath('product/bundle'),
    images: [mediaPath('product/bundle')],
    features: [
      `${more} additional photos animated into MP4 videos`,
      'Delivered over Wi-Fi to the same frame',
      'A backup link by email',
      'Ready 24-72 hours after you finish uploading',
      'Buy as many as you like: every package adds ten more',
    ],
    specs: [
      { label: 'Photos', value: `${more}` },
      { label: 'Delivery', value: 'Digital, 24-72 hours' },
      { label: 'Video format', value: 'MP4' },
      { label: 'Recommended photos', value: 'JPG or PNG, at least 1200 x 1200 pixels' },
    ],
    included: `The animation of ${more} photos, delivered to your frame over Wi-Fi and by email.`,
    // This link goes to the checkout of a frame with one package, because a package cannot be bought without a frame.
    checkoutUrl: `/customer-details?product=${kinframe}&quantity=1&extras=1`,
  },
  {
    id: 'byof',
    name: 'Bring Your Own Frame AI animation service',
    short: `Already own a compatible Wi-Fi frame? We animate ${base} of your photos and send them to it.`,
    long: `You have a frame you like. Keep it. We turn ${base} of your photos into short, lifelike videos and send them straight to your compatible Wi-Fi frame, no shipping involved. You share the frame's invite code once; after that, videos simply arrive.`,
    price: toDollars(pricesInCents.byof),
    badge: 'No new frame needed',
    image: mediaPath('product/byof'),
    images: [mediaPath('product/byof')],
    features: [
      `${base} photos animated into short MP4 videos`,
      'Sent to your own frame over Wi-Fi',
      'Works with frames that use the Uhale app',
      'A backup link by email, to keep or to share',
      'Ready 24-72 hours after you finish uploading',
    ],
    specs: [
      { label: 'Service', value: 'Photo animation, digital delivery' },
      { label: 'Photos included', value: `${base}` },
      { label: 'Compatible frames', value: 'Wi-Fi frames with the Uhale app' },
      { label: 'Processing time', value: '24-72 hours' },
      { label: 'Video format', value: 'MP4' },
      { label: 'Recommended photos', value: 'JPG or PNG, at least 1200 x 1200 pixels' },
    ],
    included: `The animation of ${base} photos, delivery to your frame over Wi-Fi, and a backup link by email.`,
    amazonFrames: { uhale: 'https://www.amazon.com/s?k=uhale+digital+picture+frame+10+inch' },
  },
];

const faqs: Content<'faqs'> = [
  {
    question: 'What exactly do I get?',
    answer: `A 10-inch Wi-Fi picture frame, and ${base} of your own photos turned into short videos that play on it. If you already own a compatible frame, the Bring Your Own Frame service gives you the ${base} videos without the frame.`,
  },
  {
    question: 'Which photos work best?',
    answer:
      'Photos with a clear subject and decent light: faces, pets, water, trees, celebrations. We recommend JPG or PNG files of at least 1200 x 1200 pixels. Old prints work well, too. Take a picture of them lying flat, in daylight, without flash.',
  },
  {
    question: 'How long does it take?',
    answer:
      'Videos are ready 24-72 hours after you press “I’m Done” on your upload page, and we email you when they are. A frame also needs 2-3 business days for handling, plus shipping.',
  },
  {
    question: 'How do the videos get onto the frame?',
    answer:
      'Over Wi-Fi. Once the frame is online, we send the videos to it. There’s nothing to copy. We also email you a private backup link, so you can watch and download every video.',
  },
  {
    question: 'Can I use a frame I already own?',
    answer:
      'Yes, if it’s a Wi-Fi frame that uses the Uhale app. Choose Bring Your Own Frame, upload your photos, and give us the invite code or QR code the frame shows. The videos arrive on it automatically.',
  },
  {
    question: `Can I have more than ${base} photos?`,
    answer: `Yes. Every +${more} AI Photo Package adds ${more} photos for ${extraPackagePrice}. Add it to your order, or buy it later from My Uploads while your frame is waiting or already playing.`,
  },
  {
    question: 'Are my photos private?',
    answer:
      'Yes. We store your photos privately, use them only to make your videos, and never show them to other customers. We remove location data from every copy we make. We delete photos and videos 90 days after delivery unless you ask us, in your account, to keep them longer. So please download the videos you love.',
  },
  {
    question: 'Is there a subscription?',
    answer: 'No. You pay once for the frame or the service, and for extra photo packages if you want them.',
  },
  {
    question: 'Where do you ship, and what does it cost?',
    answer:
      'To the United States and Canada, free of charge. Orders to Canada are charged in US dollars and may be subject to import duties on arrival.',
  },
  {
    question: 'Can I change photos after I have finished?',
    answer:
      'Pressing “I’m Done” locks a frame so that we can start work. If something needs to change, contact support before your videos are ready, and we’ll help.',
  },
  {
    question: 'Can several people add photos?',
    answer:
      'Yes. In My Uploads, tap “Make a link to share” for your frame and send the link to your family. They do not need an account. They enter their first name, add photos, and only see their own. You choose which ones to keep.',
  },
  {
    question: 'What if I do not like it?',
    answer:
      'You can return the frame within 30 days of delivery. Open your order and choose “Return a frame.” Refunds reach you within 5-10 business days after we receive it, and the frame comes with a 1-year limited warranty. If a video disappoints you, ask for a different motion on your video page, or write to us.',
  },
];

/** The examples in the gallery: file name, title and caption. Their pictures and videos are made in art/. */
const galleryPieces = [
  ['kite', 'Kite at the lake', 'Clouds drift over the mountains.'],
  ['garden', 'Grandparents’ garden', 'Motes of light float through the summer air.'],
  ['laughter', 'Three laughing', 'Everyone in one picture, and the picture breathes.'],
  ['newborn', 'On her arm', 'Held once, and held again every morning.'],
  ['birthday', 'Birthday table', 'Seven candles flicker, just before the wish.'],
  ['best-friends', 'Best friends', 'Both held still for a second.'],
  ['cabin', 'Cabin in the snow', 'Snow falls in front of the cabin and behind it.'],
  ['promenade', 'Seaside, long ago', 'A faded print, repaired and brought back.'],
  ['cat', 'Cat on the windowsill', 'Dust dances in the light of the window.'],
  ['sailboat', 'Sailboat bay', 'Light runs over the moving water.'],
  ['autumn', 'October avenue', 'Leaves come down in the low sun.'],
  ['campfire', 'Campfire under the stars', 'The fire flickers under the stars.'],
  ['balloons', 'Balloon morning', 'The morning sky drifts by.'],
  ['paper-boats', 'Paper boats', 'Folded on the bench, launched on the pond.'],
] as const;

/** The content of a new shop, until the owner edits it in the admin panel. */
export const defaultContent: { [S in ContentSection]: Content<S> } = {
  site: builtInSite,
  shipping: { shipsOn: [0, 1, 2, 3, 4, 5, 6], vacationFrom: '', vacationTo: '', vacationNote: '' },
  settings: builtInSettings,
  frame: {
    size: '11.2 x 8.3 x 1.2 inches',
    weight: '2.4 pounds',
    storage: '16 GB, enough for about 2,000 videos',
    videoLength: '8 seconds each, in a loop',
    box: packageContents,
    mark: 'examples',
  },
  hero: builtInHero,
  features: builtInFeatures,
  steps: builtInSteps,
  about: builtInAbout,
  products,
  faqs,
  gallery: galleryPieces.map(([name, title, caption], index) => ({
    id: index + 1,
    title,
    caption,
    beforeImage: mediaPath(`gallery/${name}`),
    afterVideo: `/media/gallery/${name}.mp4`,
  })),
  promos: [],
  testimonials: [],
};
