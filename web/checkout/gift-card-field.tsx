import { Gift } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { formatDollars } from '#contract/catalog.ts';
import { GiftCardCodeField, mostGiftCards } from '#contract/gift-card-forms.ts';
import { send } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import {
  addGiftCard,
  readEnteredGiftCards,
  getEmptyGiftCards,
  onGiftCards,
  removeGiftCard,
} from '../data/gift-card-memory.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Field, TextInput } from '../ui/field.tsx';

export const useEnteredGiftCards = () => useSyncExternalStore(onGiftCards, readEnteredGiftCards, getEmptyGiftCards);

interface Props {
  /** What each card pays, as the shop has calculated it. Undefined until it is known. */
  shares: { lastFour: string; amount: number }[] | undefined;
  /** Whether the shop is calculating what each card pays. */
  isUpdating: boolean;
  disabled: boolean;
}

/** The buyer can enter gift cards here, see what each pays, and remove them. */
export function GiftCardFields({ shares, isUpdating, disabled }: Props) {
  const { codes, refusal } = useEnteredGiftCards();
  const [isOpen, setOpen] = useState(false);
  const boxRef = useRef<HTMLDivElement>(null);
  const shouldMoveFocus = useRef(false);
  const shownPart = isOpen || refusal !== undefined ? 'form' : `button after ${codes.length}`;
  // The pressed button may disappear after the action, so move the focus to the field or button that replaces it.
  useEffect(() => {
    if (shouldMoveFocus.current && shownPart) boxRef.current?.querySelector<HTMLElement>('input, button')?.focus();
    shouldMoveFocus.current = false;
  }, [shownPart]);
  return (
    <div ref={boxRef} aria-live="polite">
      {codes.map((code) => {
        const lastCharacters = code.slice(-4);
        const cardShare = shares?.find(({ lastFour }) => lastFour === lastCharacters);
        return (
          <div key={code} className="flex items-center gap-3">
            <Gift aria-hidden className="size-5 shrink-0 text-good" />
            <p className="min-w-0 flex-1 leading-snug">
              <span className="text-muted">Gift card ending in</span>{' '}
              <strong className="font-semibold tabular-nums">{lastCharacters}</strong>
              <span className="block text-[0.9375rem] text-muted">
                {cardShare
                  ? `pays ${formatDollars(cardShare.amount)}`
                  : shares
                    ? 'is not needed for this order'
                    : isUpdating
                      ? 'is being checked'
                      : 'could not be checked'}
              </span>
            </p>
            <QuietButton
              disabled={disabled}
              onClick={() => {
                shouldMoveFocus.current = true;
                removeGiftCard(code);
              }}
            >
              Remove<span className="sr-only"> gift card ending in {lastCharacters}</span>
            </QuietButton>
          </div>
        );
      })}
      {shownPart !== 'form' && codes.length < mostGiftCards && (
        <QuietButton
          disabled={disabled}
          onClick={() => {
            shouldMoveFocus.current = true;
            setOpen(true);
          }}
        >
          {codes.length === 0 ? 'Add a gift card' : 'Add another gift card'}
        </QuietButton>
      )}
      {shownPart === 'form' && (
        <CodeForm
          key={refusal}
          refusal={refusal}
          disabled={disabled}
          onDone={() => {
            shouldMoveFocus.current = true;
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}

/** On step 1, the entered gift cards only have a note, because the shop calculates what they pay at step 2. */
export function EnteredGiftCardsNote() {
  const { codes } = useEnteredGiftCards();
  return codes.map((code) => (
    <p key={code} className="flex min-h-11 items-center gap-3 leading-snug">
      <Gift aria-hidden className="size-5 shrink-0 text-good" />
      <span className="text-muted">
        Gift card ending in <strong className="font-semibold text-ink tabular-nums">{code.slice(-4)}</strong> pays at
        the next step
      </span>
    </p>
  ));
}

function CodeForm({
  refusal,
  disabled,
  onDone,
}: {
  refusal: string | undefined;
  disabled: boolean;
  onDone: () => void;
}) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState(refusal);
  const [busy, setBusy] = useState(false);
  const applyCode = async () => {
    const parseResult = GiftCardCodeField.safeParse(typed);
    if (!parseResult.success) return setProblem(parseResult.error.issues[0]!.message);
    if (readEnteredGiftCards().codes.includes(parseResult.data))
      return setProblem('This gift card is already on your order.');
    setBusy(true);
    try {
      const { balance, lastFour } = await send('POST /api/gift-cards/balance', { body: { code: parseResult.data } });
      if (balance === 0) return setProblem(`There’s no money left on the gift card ending in ${lastFour}.`);
      addGiftCard(parseResult.data);
      onDone();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      aria-label="Gift card"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void applyCode();
      }}
    >
      <Field label="Gift card" error={problem}>
        {(tied) => (
          <div className="flex flex-wrap gap-2">
            <TextInput
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="min-w-0 flex-1 basis-60 uppercase" // wide enough for a whole code
              placeholder="XXXX-XXXX-XXXX-XXXX"
              maxLength={60}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              disabled={disabled}
              {...tied}
            />
            <Button type="submit" look="secondary" className="shrink-0" busy={busy} disabled={disabled}>
              Apply
            </Button>
          </div>
        )}
      </Field>
      <QuietButton
        disabled={disabled}
        onClick={() => {
          removeGiftCard(''); // clears the refusal
          onDone();
        }}
      >
        Cancel<span className="sr-only"> gift card</span>
      </QuietButton>
    </form>
  );
}

/** A button without a border. Its negative margin aligns its text with the texts above and below it. */
const QuietButton = ({ className, ...rest }: ButtonProps) => (
  <Button
    look="quiet"
    size="small"
    className={joinClassNames('-mx-4 underline decoration-1 underline-offset-4', className)}
    {...rest}
  />
);
