/** One or more letters of every kind, for tests and for looking at. The people are invented. */
import type { LetterContent, LetterKind, LetterShop } from '#contract/letters.ts';

const shop: LetterShop = {
  name: 'Kinframe',
  baseUrl: 'https://kinframe.example',
  supportEmail: 'support@kinframe.example',
  timeZone: 'America/New_York',
};
const token = '4fzyo82mXq0Lw3RsU7-vKc_19bTnEjHpAaGdQiWxZkY';
const anna = {
  name: 'Anna Lindqvist',
  line1: '18 Harbor Street',
  line2: 'Apartment 4',
  city: 'Portland',
  state: 'ME',
  postalCode: '04101',
  country: 'US',
};
const ben = {
  name: 'Benoît Tremblay',
  line1: '2205 rue Sherbrooke',
  city: 'Montréal',
  state: 'QC',
  postalCode: 'H3H 1G5',
  country: 'CA',
};

/** By a name for the preview; the kinds that differ much by their data come more than once. */
export const letterSamples: { name: string; letter: LetterContent }[] = [
  {
    name: 'Receipt with registration to finish',
    letter: {
      kind: 'receipt',
      shop,
      customerFirstName: 'Anna',
      orderNumber: 'KF-7Q2M9',
      orderedAt: '2026-11-20T19:39:00Z',
      lines: [
        { label: 'Kinframe Digital Picture Frame', quantity: 2, amountCents: 39_800 },
        { label: 'Extra photo package (10 photos)', quantity: 3, amountCents: 2997 },
      ],
      subtotalCents: 42_797,
      discountCents: 4280,
      discountLabel: 'THANKFUL10',
      taxCents: 2118,
      taxLabel: 'Maine, 5.5%',
      totalCents: 40_635,
      shippingAddress: anna,
      finishRegistrationUrl: `https://kinframe.example/complete-registration?token=${token}`,
      orderUrl: `https://kinframe.example/purchase-success?session=${token}`,
      uploadUrl: 'https://kinframe.example/upload',
      estimatedDelivery: { from: '2026-12-02', to: '2026-12-04' },
    },
  },
  {
    name: 'Receipt of a service, known customer',
    letter: {
      kind: 'receipt',
      shop: { ...shop, postalAddress: 'Kinframe, 1 Example Road, Portland, ME 04101' },
      customerFirstName: 'Mei',
      orderNumber: 'KF-3XK8P',
      orderedAt: '2026-11-20T19:39:00Z',
      lines: [{ label: 'Bring your own frame: 20 photos to video', quantity: 1, amountCents: 4999 }],
      subtotalCents: 4999,
      discountCents: 0,
      taxCents: 0,
      totalCents: 4999,
      orderUrl: 'https://kinframe.example/orders/KF-3XK8P',
      uploadUrl: 'https://kinframe.example/upload',
    },
  },
  {
    name: 'Receipt for Canada',
    letter: {
      kind: 'receipt',
      shop,
      customerFirstName: 'Benoît',
      orderNumber: 'KF-M41TZ',
      orderedAt: '2026-11-20T19:39:00Z',
      lines: [{ label: 'Kinframe Digital Picture Frame', quantity: 1, amountCents: 19_900 }],
      subtotalCents: 19_900,
      discountCents: 0,
      taxCents: 0,
      totalCents: 19_900,
      shippingAddress: ben,
      orderUrl: 'https://kinframe.example/orders/KF-M41TZ',
      uploadUrl: 'https://kinframe.example/upload',
      estimatedDelivery: { from: '2026-12-04', to: '2026-12-04' },
    },
  },
  {
    name: 'Add-on receipt',
    letter: {
      kind: 'addon-receipt',
      shop,
      customerFirstName: 'Anna',
      orderNumber: 'KF-7Q2M9',
      orderedAt: '2026-11-25T14:02:00Z',
      frameNames: ['Kinframe 1'],
      packages: 2,
      photosAdded: 20,
      subtotalCents: 1998,
      taxCents: 0,
      totalCents: 1998,
      uploadUrl: 'https://kinframe.example/upload?frameId=8f2c',
      orderUrl: 'https://kinframe.example/orders/KF-7Q2M9',
    },
  },
  {
    name: 'Photo reminder, first day',
    letter: {
      kind: 'photo-reminder',
      shop,
      firstName: 'Anna',
      frameNames: ['Kinframe 1', 'Kinframe 2'],
      daysOpen: 1,
      uploadUrl: 'https://kinframe.example/upload',
    },
  },
  {
    name: 'Photo reminder, last',
    letter: {
      kind: 'photo-reminder',
      shop,
      firstName: 'Anna',
      frameNames: ['Kinframe 2'],
      daysOpen: 7,
      uploadUrl: 'https://kinframe.example/upload',
    },
  },
  {
    name: 'Photos finalized',
    letter: {
      kind: 'finalized',
      shop,
      firstName: 'Anna',
      frameName: 'Kinframe 1',
      photoCount: 40,
      orderNumber: 'KF-7Q2M9',
      orderUrl: 'https://kinframe.example/orders/KF-7Q2M9',
    },
  },
  {
    name: 'Videos ready',
    letter: {
      kind: 'videos-ready',
      shop,
      firstName: 'Anna',
      frameName: 'Kinframe 1',
      videoCount: 40,
      deliveryUrl: `https://kinframe.example/delivery/${token}`,
      expiresAt: '2027-02-21T17:00:00Z',
    },
  },
  {
    name: 'Shipped with tracking',
    letter: {
      kind: 'shipped',
      shop,
      firstName: 'Anna',
      orderNumber: 'KF-7Q2M9',
      frameCount: 2,
      shippingAddress: anna,
      tracking: {
        carrier: 'UPS Ground',
        number: '1Z999AA10123456784',
        url: 'https://www.ups.com/track?loc=en_US&tracknum=1Z999AA10123456784',
      },
      estimatedDelivery: { from: '2026-12-02', to: '2026-12-04' },
      orderUrl: 'https://kinframe.example/orders/KF-7Q2M9',
    },
  },
  {
    name: 'Shipped without tracking',
    letter: {
      kind: 'shipped',
      shop,
      firstName: 'Benoît',
      orderNumber: 'KF-M41TZ',
      orderUrl: 'https://kinframe.example/orders/KF-M41TZ',
    },
  },
  {
    name: 'Refund',
    letter: {
      kind: 'refund',
      shop,
      firstName: 'Anna',
      amountCents: 1998,
      orderNumber: 'KF-7Q2M9',
      reason: 'The extra packages were bought by mistake.',
      photosWithdrawn: 20,
      orderUrl: 'https://kinframe.example/orders/KF-7Q2M9',
    },
  },
  {
    name: 'Ticket received',
    letter: {
      kind: 'ticket-received',
      shop,
      name: 'Anna',
      ticketNumber: 'T-9K4WX2',
      subject: 'The frame does not find my Wi-Fi',
    },
  },
  {
    name: 'Ticket answered',
    letter: {
      kind: 'ticket-answered',
      shop,
      name: 'Anna',
      ticketNumber: 'T-9K4WX2',
      subject: 'The frame does not find my Wi-Fi',
      answer:
        'Thank you for your patience.\n\nThe frame speaks 2.4 GHz only. Many routers have a second network for this:\n1. Open the settings of your router.\n2. Switch on the 2.4 GHz network.\n3. Choose it on the frame.\n\nWarm regards\nMaya',
      supportUrl: 'https://kinframe.example/support',
    },
  },
  {
    name: 'Password reset',
    letter: {
      kind: 'password-reset',
      shop,
      firstName: 'Anna',
      resetUrl: `https://kinframe.example/auth/reset-password?token=${token}`,
    },
  },
  {
    name: 'Email confirmation',
    letter: {
      kind: 'email-confirmation',
      shop,
      firstName: 'Anna',
      confirmUrl: `https://kinframe.example/auth/confirm-email?token=${token}`,
    },
  },
  {
    name: 'Upload link',
    letter: {
      kind: 'upload-link',
      shop,
      uploadUrl: `https://kinframe.example/customer-upload?token=${token}`,
      expiresAt: '2026-11-27T19:39:00Z',
    },
  },
  {
    name: 'Owner: sale',
    letter: {
      kind: 'owner-sale',
      shop,
      orderNumber: 'KF-7Q2M9',
      orderedAt: '2026-11-20T19:39:00Z',
      customerName: 'Anna Lindqvist',
      customerEmail: 'anna@example.com',
      lines: [
        { label: 'Kinframe Digital Picture Frame', quantity: 2, amountCents: 39_800 },
        { label: 'Extra photo package (10 photos)', quantity: 3, amountCents: 2997 },
      ],
      subtotalCents: 42_797,
      discountCents: 4280,
      discountLabel: 'THANKFUL10',
      taxCents: 2118,
      taxLabel: 'Maine, 5.5%',
      totalCents: 40_635,
      shippingAddress: anna,
      adminUrl: 'https://kinframe.example/admin?tab=orders&order=KF-7Q2M9',
    },
  },
  {
    name: 'Owner: ticket',
    letter: {
      kind: 'owner-ticket',
      shop,
      origin: 'contact',
      ticketNumber: 'T-9K4WX2',
      customerName: 'Anna Lindqvist',
      customerEmail: 'anna@example.com',
      phone: '+1 207 555 0142',
      subject: 'The frame does not find my Wi-Fi',
      message: 'Hello,\n\nI see five networks on my phone, but only two on the frame.\n\nAnna',
      adminUrl: 'https://kinframe.example/admin?tab=support&ticket=T-9K4WX2',
    },
  },
  {
    name: 'Owner: failed job',
    letter: {
      kind: 'owner-failed-job',
      shop,
      job: 'the video of photo 12 of Kinframe 1',
      failedAt: '2026-11-21T08:12:00Z',
      error: 'The hosted animator refused the photo: too little light.',
      consequence: 'The shop made the video by itself instead and marked it as such.',
      orderNumber: 'KF-7Q2M9',
      adminUrl: 'https://kinframe.example/admin?tab=production&frame=8f2c',
    },
  },
  {
    name: 'Owner: dispute',
    letter: {
      kind: 'owner-dispute',
      shop,
      orderNumber: 'KF-7Q2M9',
      customerEmail: 'anna@example.com',
      amountCents: 40_635,
      reason: 'product_not_received',
      respondBy: '2026-12-05T23:59:00Z',
      adminUrl: 'https://kinframe.example/admin?tab=orders&order=KF-7Q2M9',
    },
  },
  {
    name: 'Owner: refund failed',
    letter: {
      kind: 'owner-refund-failed',
      shop,
      orderNumber: 'KF-7Q2M9',
      customerEmail: 'anna@example.com',
      amountCents: 1998,
      reason: 'expired_or_canceled_card',
      photosReturned: 20,
      adminUrl: 'https://kinframe.example/admin?tab=orders&order=KF-7Q2M9',
    },
  },
  {
    name: 'Owner: payment does not match',
    letter: {
      kind: 'owner-payment-mismatch',
      shop,
      paymentIntentId: 'pi_3QWERTY',
      customerEmail: 'anna@example.com',
      expectedCents: 20_898,
      receivedCents: 20_898,
      receivedCurrency: 'CAD',
      adminUrl: 'https://kinframe.example/admin?tab=orders',
    },
  },
  {
    name: 'Owner: second payment refunded',
    letter: {
      kind: 'owner-second-payment-refunded',
      shop,
      orderNumber: 'KF-7Q2M9',
      customerEmail: 'anna@example.com',
      amountCents: 40_635,
      adminUrl: 'https://kinframe.example/admin?tab=orders&order=KF-7Q2M9',
    },
  },
];

/** The first sample of a kind. */
export function sampleOf<K extends LetterKind>(kind: K): Extract<LetterContent, { kind: K }> {
  const sample = letterSamples.find(({ letter }) => letter.kind === kind)?.letter;
  if (!sample) throw new Error(`no sample of ${kind}`);
  return sample as Extract<LetterContent, { kind: K }>;
}
