import { weekdayText } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';

interface Props {
  gift: Gift;
  /** Whether the gift has shipped. Hides the shipping day. */
  hasLeft?: boolean;
}

/** The text and sender of a gift's card, the recipient's phone number, and the day the gift ships. */
export function GiftText({ gift: { from, message, shipOn, recipientPhone }, hasLeft = false }: Props) {
  return (
    <>
      {message && <span className="block break-words whitespace-pre-line text-ink">“{message}”</span>}
      {from && <span className="block">From {from}</span>}
      {recipientPhone && <span className="block">Their phone number: {recipientPhone}</span>}
      {!hasLeft && (
        <span className="block">{shipOn ? `Ships on ${weekdayText(shipOn)}` : 'Ships as soon as it’s ready'}</span>
      )}
      <span className="block">No prices in the package</span>
    </>
  );
}
