import { Tag } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { tidyCode } from '#contract/tidy.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { joinClassNames } from '../ui/classes.ts';
import { Field, TextInput } from '../ui/field.tsx';
import type { PromoCodeState } from './promo-code.ts';

/**
 * The visitor can enter a promo code here, see whether it is valid, and remove it. Payment does not depend on the code.
 */
export function PromoCodeField({ promo, disabled }: { promo: PromoCodeState; disabled: boolean }) {
  const { code, discount, refusal, isChecking } = promo;
  const [isOpen, setOpen] = useState(false);
  const boxRef = useRef<HTMLDivElement>(null);
  const shouldMoveFocus = useRef(false);

  // The pressed button may disappear after the action, so move the focus to the field or button that replaces it.
  const shownPart = discount ? 'applied' : isOpen || code !== undefined ? 'form' : 'button';
  useEffect(() => {
    if (isChecking) return;
    if (shouldMoveFocus.current) boxRef.current?.querySelector<HTMLElement>('input, button')?.focus();
    shouldMoveFocus.current = false;
    // oxlint-disable-next-line react/exhaustive-deps -- a refused code moves the focus too
  }, [shownPart, refusal, isChecking]);

  const removeCode = () => {
    shouldMoveFocus.current = true;
    setOpen(false);
    promo.remove();
  };
  return (
    <div ref={boxRef} aria-live="polite">
      {shownPart === 'button' && (
        <QuietButton
          disabled={disabled}
          onClick={() => {
            shouldMoveFocus.current = true;
            setOpen(true);
          }}
        >
          Add a promo code
        </QuietButton>
      )}
      {shownPart === 'applied' && (
        <div className="flex items-center gap-3">
          <Tag aria-hidden className="size-5 shrink-0 text-good" />
          <p className="min-w-0 flex-1 leading-snug break-words">
            <span className="text-muted">Promo code</span> <strong className="font-semibold">{discount?.code}</strong>
          </p>
          <QuietButton disabled={disabled} onClick={removeCode}>
            Remove<span className="sr-only"> promo code {discount?.code}</span>
          </QuietButton>
        </div>
      )}
      {shownPart === 'form' && (
        <CodeForm
          code={code ?? ''}
          refusal={refusal}
          isBusy={isChecking}
          disabled={disabled}
          onApply={(typed) => {
            shouldMoveFocus.current = true;
            promo.apply(typed);
          }}
          onClose={removeCode}
        />
      )}
    </div>
  );
}

interface CodeFormProps {
  code: string;
  refusal: string | undefined;
  isBusy: boolean;
  disabled: boolean;
  onApply: (typed: string) => void;
  onClose: () => void;
}

function CodeForm({ code, refusal, isBusy, disabled, onApply, onClose }: CodeFormProps) {
  const [typed, setTyped] = useState(code);
  const [isMissing, setMissing] = useState(false);
  return (
    <form
      noValidate
      aria-label="Promo code"
      onSubmit={(event) => {
        event.preventDefault();
        setMissing(tidyCode(typed) === '');
        if (tidyCode(typed) !== '') onApply(typed);
      }}
    >
      <Field label="Promo code" error={isMissing ? 'Please enter a promo code' : refusal}>
        {(tied) => (
          <div className="flex gap-2">
            <TextInput
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              className="min-w-0 flex-1"
              maxLength={40}
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              enterKeyHint="done"
              disabled={disabled}
              {...tied}
            />
            <Button type="submit" look="secondary" className="shrink-0" busy={isBusy} disabled={disabled}>
              Apply
            </Button>
          </div>
        )}
      </Field>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-6">
        {refusal && <p className="text-[0.9375rem] text-muted">You can continue without the code.</p>}
        <QuietButton disabled={disabled} onClick={onClose}>
          {refusal ? 'Remove' : 'Cancel'}
          <span className="sr-only"> promo code</span>
        </QuietButton>
      </div>
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
