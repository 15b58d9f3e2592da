import type { CartProduct } from '#contract/catalog.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { OrderStatus } from '#contract/orders.ts';
import type { ReturnReason } from '#contract/return-forms.ts';

/** The password of everyone in the demo. */
export const samplePassword = 'Garden-Gate-27';

export interface SamplePurchase {
  productId: CartProduct;
  quantity: number;
  extraPackages: number;
  daysAgo: number;
  frames: SampleFrame[];
  /** The status that the owner set. If absent, the order has the status that it reached by itself. */
  status?: Extract<OrderStatus, 'completed' | 'shipped'>;
  /** The buyer's review, which the owner has published. */
  review?: SampleReview;
  /** The buyer's request to return the frames, which waits for the owner's answer. */
  return?: SampleReturn;
}
export interface SampleReturn {
  daysAgo: number;
  reason: ReturnReason;
  words: string;
}
export interface SampleReview {
  daysAgo: number;
  stars: number;
  words: string;
  name: string;
  answer?: string;
}
export interface SampleFrame {
  /** How many photos from db/sample/photos, and the index of the first. */
  photos: { from: number; count: number };
  /** open: still being filled; finalized: videos await the owner; approved: delivered to the customer. */
  state: 'open' | 'finalized' | 'approved';
}
export interface SamplePerson {
  details: CustomerDetails;
  /** false: bought, but has not set a password yet. */
  hasAccount: boolean;
  purchases: SamplePurchase[];
}

/** The customers of `npm run demo`. Together, their orders cover every state. */
export const samplePeople: SamplePerson[] = [
  {
    details: {
      firstName: 'Anna',
      lastName: 'Keller',
      email: 'anna@example.com',
      address: { line1: '12 Linden Street', city: 'Portland', state: 'OR', postalCode: '97201', country: 'US' },
    },
    hasAccount: true,
    purchases: [
      {
        productId: 'kinframe',
        quantity: 1,
        extraPackages: 1,
        daysAgo: 1,
        frames: [{ photos: { from: 0, count: 4 }, state: 'open' }],
      },
    ],
  },
  {
    details: {
      firstName: 'Ben',
      lastName: 'Okafor',
      email: 'ben@example.com',
      phone: '+1 410 555 0137',
      address: {
        line1: '88 Harbor View',
        line2: 'Apt 4',
        city: 'Baltimore',
        state: 'MD',
        postalCode: '21230',
        country: 'US',
      },
    },
    hasAccount: true,
    purchases: [
      {
        productId: 'kinframe',
        quantity: 2,
        extraPackages: 3,
        daysAgo: 2,
        frames: [
          { photos: { from: 4, count: 3 }, state: 'finalized' },
          { photos: { from: 7, count: 1 }, state: 'open' },
        ],
      },
    ],
  },
  {
    details: {
      firstName: 'Clara',
      lastName: 'Moreau',
      email: 'clara@example.com',
      address: { line1: '301 Rue Saint-Paul', city: 'Montreal', state: 'QC', postalCode: 'H2Y 1H2', country: 'CA' },
    },
    hasAccount: true,
    purchases: [
      {
        productId: 'kinframe',
        quantity: 1,
        extraPackages: 0,
        daysAgo: 58,
        frames: [{ photos: { from: 8, count: 3 }, state: 'approved' }],
        status: 'shipped',
        review: {
          daysAgo: 24,
          stars: 5,
          words:
            'My mother walks past it twenty times a day, and each time she stops. The boats really do rock. I had feared something showy; it is quiet, and it looks like a frame, not like a screen.',
          name: 'Clara M.',
          answer: 'Thank you, Clara. Twenty times a day is the nicest number we have read all week.',
        },
      },
    ],
  },
  {
    details: { firstName: 'David', lastName: 'Lindqvist', email: 'david@example.com' },
    hasAccount: true,
    purchases: [
      {
        productId: 'byof',
        quantity: 1,
        extraPackages: 1,
        daysAgo: 47,
        frames: [{ photos: { from: 2, count: 2 }, state: 'approved' }],
        status: 'completed',
        review: {
          daysAgo: 20,
          stars: 4,
          words:
            'I kept the frame I had and sent twenty photos. Two days later the videos were there. Connecting took me two tries because of the guest network, hence four stars. The videos themselves are lovely.',
          name: 'David L.',
        },
      },
      {
        productId: 'byof',
        quantity: 1,
        extraPackages: 0,
        daysAgo: 3,
        frames: [{ photos: { from: 5, count: 2 }, state: 'finalized' }],
      },
    ],
  },
  {
    details: {
      firstName: 'Grace',
      lastName: 'Holloway',
      email: 'grace@example.com',
      address: { line1: '41 Mill Road', city: 'Asheville', state: 'NC', postalCode: '28801', country: 'US' },
      gift: { recipientName: 'Ruth Holloway', from: 'Grace and the twins', message: 'Happy birthday, Grandma!' },
    },
    hasAccount: true,
    purchases: [
      {
        productId: 'kinframe',
        quantity: 1,
        extraPackages: 0,
        daysAgo: 64,
        frames: [{ photos: { from: 1, count: 1 }, state: 'approved' }],
        status: 'shipped',
        review: {
          daysAgo: 31,
          stars: 5,
          words:
            'A gift for my mother’s eightieth. My sister and I filled it together over a weekend. She called us before she had finished her coffee.',
          name: 'Grace H.',
        },
      },
      {
        productId: 'kinframe',
        quantity: 1,
        extraPackages: 0,
        daysAgo: 16,
        frames: [{ photos: { from: 6, count: 1 }, state: 'approved' }],
        status: 'shipped',
        return: {
          daysAgo: 1,
          reason: 'changed-mind',
          words: 'My sister had already bought one for our aunt. It was never plugged in.',
        },
      },
    ],
  },
  {
    details: {
      firstName: 'Elena',
      lastName: 'Rossi',
      email: 'elena@example.com',
      address: { line1: '5 Orchard Lane', city: 'Burlington', state: 'VT', postalCode: '05401', country: 'US' },
    },
    hasAccount: false,
    purchases: [
      {
        productId: 'kinframe',
        quantity: 1,
        extraPackages: 0,
        daysAgo: 0,
        frames: [{ photos: { from: 0, count: 0 }, state: 'open' }],
      },
    ],
  },
];
