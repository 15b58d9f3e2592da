import { weekdayText } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';

interface Props {
  gift: Gift;
  /** Whether the gift has shipped. Hides the shipping day. */
  hasLeft?: boolean;
}

/** The text and sender of a gift's card, and the day the gift ships. */
export function GiftText({ gift: { from, message, shipOn }, hasLeft = false }: Props) {
  return (
    <>
      {message && <span className="block break-words whitespace-pre-line text-ink">“{message}”</span>}
      {from && <span className="block">From {from}</span>}
      {!hasLeft && (
        <span className="block">{shipOn ? `Ships on ${weekdayText(shipOn)}` : 'Ships as soon as it’s ready'}</span>
      )}
      <span className="block">No prices in the package</span>
    </>
  );
}
