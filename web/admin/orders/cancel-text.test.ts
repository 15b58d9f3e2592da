import { expect, test } from 'vitest';
import { cancelTexts } from './cancel-text.ts';

const cancellation = {
  refusal: null,
  refunds: [{ orderNumber: 'KF-1', amount: 19_900, paidAmount: 19_900, taxAmount: 0, isAddOn: false }],
  refundAmount: 19_900,
  giftCardAmount: 0,
  card: { brand: 'visa', last4: '4242' },
  photos: 2,
  deliveredVideos: 1,
  unfinishedVideos: 3,
  collectLinks: 1,
  uploadLinks: 2,
  endsUploadLinks: false,
};

test('names each consequence of canceling an order once', () => {
  expect(cancelTexts(cancellation, { photos: 'erase', tellCustomer: 'anna@example.com' })).toEqual([
    'We’ll refund $199.00 to the Visa card ending in 4242.',
    'We’ll stop making 3 unfinished videos and delete them.',
    'We’ll delete 2 photos and 1 delivered video right away. Links to photos and videos will stop working.',
    'No more photos can be added to the frames.',
    '1 link for adding photos will end. Unfinished uploads will be deleted.',
    '2 upload links will stay open for the customer’s other order.',
    'We’ll send one email to anna@example.com.',
    'You can’t undo this.',
  ]);
});

test('says that no one is emailed, and nothing about photos before the owner has chosen', () => {
  const emptyOffer = { ...cancellation, card: null, unfinishedVideos: 0, collectLinks: 0, uploadLinks: 0 };
  expect(cancelTexts(emptyOffer, { photos: undefined, tellCustomer: undefined })).toEqual([
    'We’ll refund $199.00 to the card it was paid with.',
    'No more photos can be added to the frames.',
    'We won’t email the customer.',
    'You can’t undo this.',
  ]);
});
