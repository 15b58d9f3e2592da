import { money } from '#contract/catalog.ts';
import { counted } from '#contract/count-words.ts';
import type { Cancellation } from '#contract/owner/orders.ts';
import { cardText } from './card-words.ts';

interface Choices {
  /** Undefined until the owner has chosen. */
  photos: 'keep' | 'erase' | undefined;
  /** The address that gets the email; undefined for no email. */
  tellCustomer: string | undefined;
}

/** The consequences of canceling an order, one sentence for each. */
export function cancelTexts(offer: Cancellation, { photos, tellCustomer }: Choices): string[] {
  const { refundAmount, refunds, card, unfinishedVideos, collectLinks, uploadLinks, endsUploadLinks } = offer;
  const isErased = photos === 'erase';
  return [
    `We refund ${money(refundAmount)} to ${cardText(card)}${refunds.length > 1 ? ', each amount to the card that paid it' : ''}.`,
    unfinishedVideos > 0 &&
      `We stop making ${counted(unfinishedVideos, 'unfinished video')} and delete ${unfinishedVideos === 1 ? 'it' : 'them'}.`,
    offer.photos > 0 &&
      photos !== undefined &&
      (isErased
        ? `${everything(offer)} deleted now. Links to photos and videos stop working.`
        : `${everything(offer)} kept. Links to delivered videos keep working.`),
    'The frames accept no more photos.',
    collectLinks > 0 &&
      `${counted(collectLinks, 'collect link')} ${ends(collectLinks)}. Unfinished uploads are deleted.`,
    uploadLinks > 0 &&
      (endsUploadLinks
        ? `${counted(uploadLinks, 'upload link')} ${ends(uploadLinks)}.`
        : `${counted(uploadLinks, 'upload link')} ${uploadLinks === 1 ? 'stays' : 'stay'} open for the customer’s other order.`),
    tellCustomer ? `We email ${tellCustomer} once.` : 'We do not email the customer.',
    'This cannot be undone.',
  ].filter((it) => it !== false);
}

const ends = (count: number) => (count === 1 ? 'ends' : 'end');
const everything = ({ photos, deliveredVideos }: Cancellation) => {
  const all = [counted(photos, 'photo'), ...(deliveredVideos > 0 ? [counted(deliveredVideos, 'delivered video')] : [])];
  return `${all.join(' and ')} ${photos + deliveredVideos === 1 ? 'is' : 'are'}`;
};
