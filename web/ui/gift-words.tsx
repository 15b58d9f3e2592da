import { weekdayWords } from '#contract/calendar.ts';
import type { Gift } from '#contract/gift-forms.ts';

interface Props {
  gift: Gift;
  /** When it leaves is told until then. */
  hasLeft?: boolean;
}

/** What goes with a present: the card's words, whose they are, and when it leaves. */
export function GiftWords({ gift: { from, message, shipOn }, hasLeft = false }: Props) {
  return (
    <>
      {message && <span className="block break-words whitespace-pre-line text-ink">“{message}”</span>}
      {from && <span className="block">From {from}</span>}
      {!hasLeft && (
        <span className="block">
          {shipOn ? `Leaves us on ${weekdayWords(shipOn)}, not before` : 'Leaves us as soon as it is ready'}
        </span>
      )}
      <span className="block">No prices in the parcel</span>
    </>
  );
}
