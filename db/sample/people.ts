import type { CartProduct } from '#contract/catalog.ts';
import type { CustomerDetails } from '#contract/customer-details.ts';
import type { OrderStatus } from '#contract/orders.ts';

/** Everyone in the demo signs in with this. */
export const samplePassword = 'Garden-Gate-27';

export interface SamplePurchase {
  productId: CartProduct;
  quantity: number;
  extraPackages: number;
  daysAgo: number;
  frames: SampleFrame[];
  /** What the owner set it to; absent: as it came to be. */
  status?: Extract<OrderStatus, 'completed' | 'shipped'>;
}
export interface SampleFrame {
  /** How many of the photos in db/sample/photos, from which one on. */
  photos: { from: number; count: number };
  /** open: still being filled; finalized: videos await the owner; approved: delivered to the customer. */
  state: 'open' | 'finalized' | 'approved';
}
export interface SamplePerson {
  details: CustomerDetails;
  /** false: bought, but has set no password yet. */
  hasAccount: boolean;
  purchases: SamplePurchase[];
}

/** The people of `npm run demo`: together their orders are in every state there is. */
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
        daysAgo: 9,
        frames: [{ photos: { from: 8, count: 3 }, state: 'approved' }],
        status: 'shipped',
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
        daysAgo: 21,
        frames: [{ photos: { from: 2, count: 2 }, state: 'approved' }],
        status: 'completed',
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
