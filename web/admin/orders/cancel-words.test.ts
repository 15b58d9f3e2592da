import { expect, test } from 'vitest';
import { cancelTexts } from './cancel-words.ts';

const offer = {
  refusal: null,
  refunds: [{ orderNumber: 'KF-1', amount: 19_900, paidAmount: 19_900, taxAmount: 0, isAddOn: false }],
  refundAmount: 19_900,
  card: { brand: 'visa', last4: '4242' },
  photos: 2,
  deliveredVideos: 1,
  unfinishedVideos: 3,
  collectLinks: 1,
  uploadLinks: 2,
  endsUploadLinks: false,
};

test('names each consequence of canceling an order once', () => {
  expect(cancelTexts(offer, { photos: 'erase', tellCustomer: 'anna@example.com' })).toEqual([
    'We refund $199.00 to the Visa card ending in 4242.',
    'We stop making 3 unfinished videos and delete them.',
    '2 photos and 1 delivered video are deleted now. Links to photos and videos stop working.',
    'The frames accept no more photos.',
    '1 collect link ends. Unfinished uploads are deleted.',
    '2 upload links stay open for the customer’s other order.',
    'We email anna@example.com once.',
    'This cannot be undone.',
  ]);
});

test('says that no one is emailed, and nothing about photos before the owner has chosen', () => {
  const empty = { ...offer, card: null, unfinishedVideos: 0, collectLinks: 0, uploadLinks: 0 };
  expect(cancelTexts(empty, { photos: undefined, tellCustomer: undefined })).toEqual([
    'We refund $199.00 to the card it was paid with.',
    'The frames accept no more photos.',
    'We do not email the customer.',
    'This cannot be undone.',
  ]);
});
