import { formatDollars } from '#contract/catalog.ts';
import { countText } from '#contract/count-text.ts';
import type { Cancellation } from '#contract/owner/orders.ts';
import { cardText } from './card-text.ts';

interface Choices {
  /** Undefined until the owner has chosen. */
  photos: 'keep' | 'erase' | undefined;
  /** The address that gets the email; undefined for no email. */
  tellCustomer: string | undefined;
}

/** The consequences of canceling an order, one sentence for each. */
export function cancelTexts(offer: Cancellation, { photos, tellCustomer }: Choices): string[] {
  const { refundAmount, giftCardAmount, refunds, card, unfinishedVideos, collectLinks, uploadLinks, endsUploadLinks } =
    offer;
  const erasesPhotos = photos === 'erase';
  return [
    refundAmount > giftCardAmount &&
      `We’ll refund ${formatDollars(refundAmount - giftCardAmount)} to ${cardText(card)}${refunds.length > 1 ? ', each amount to the card it was paid with' : ''}.`,
    giftCardAmount > 0 && `We’ll put ${formatDollars(giftCardAmount)} back on the gift cards that paid it.`,
    unfinishedVideos > 0 &&
      `We’ll stop making ${countText(unfinishedVideos, 'unfinished video')} and delete ${unfinishedVideos === 1 ? 'it' : 'them'}.`,
    offer.photos > 0 &&
      photos !== undefined &&
      (erasesPhotos
        ? `We’ll delete ${photosAndVideosText(offer)} right away. Links to photos and videos will stop working.`
        : `We’ll keep ${photosAndVideosText(offer)}. Links to delivered videos will keep working.`),
    'No more photos can be added to the frames.',
    collectLinks > 0 &&
      `${countText(collectLinks, 'link')} for adding photos will end. Unfinished uploads will be deleted.`,
    uploadLinks > 0 &&
      (endsUploadLinks
        ? `${countText(uploadLinks, 'upload link')} will end.`
        : `${countText(uploadLinks, 'upload link')} will stay open for the customer’s other order.`),
    tellCustomer ? `We’ll send one email to ${tellCustomer}.` : 'We won’t email the customer.',
    'You can’t undo this.',
  ].filter((it) => it !== false);
}

const photosAndVideosText = ({ photos, deliveredVideos }: Cancellation) =>
  [countText(photos, 'photo'), ...(deliveredVideos > 0 ? [countText(deliveredVideos, 'delivered video')] : [])].join(
    ' and ',
  );
