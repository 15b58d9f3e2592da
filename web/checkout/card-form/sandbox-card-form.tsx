import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { joinClassNames } from '../../ui/classes.ts';
import { Field } from '../../ui/field.tsx';
import { addressFormats, type Country } from '#contract/addresses.ts';
import {
  findCardBrand,
  type CardMistakes,
  findCardMistakes,
  extractDigits,
  formatCardNumber,
  formatExpiry,
} from './card-number.ts';
import type { CardFormHandle } from './card-form.tsx';
import { FormattedInput } from './formatted-input.tsx';
import { confirmAtSandbox } from './sandbox-confirm.ts';
import { TestCards } from './test-cards.tsx';

const emptyCard = { number: '', expiry: '', cvc: '', postalCode: '' };

interface Props {
  ref: Ref<CardFormHandle>;
  country: Country;
  /** Whether the form asks for the card's postal code. If not, the postal code of the buyer's address is used. */
  asksPostalCode: boolean;
}

/** The sandbox's card fields. The digits exist only in this component's state until they are sent. */
export function SandboxCardForm({ ref, country, asksPostalCode }: Props) {
  const [card, setCard] = useState(emptyCard);
  const [mistakes, setMistakes] = useState<CardMistakes>({});
  const inputs = useRef<Partial<Record<keyof typeof emptyCard, HTMLInputElement | null>>>({});
  const registerInput = (name: keyof typeof emptyCard) => (input: HTMLInputElement | null) => {
    inputs.current[name] = input;
  };

  useImperativeHandle(ref, () => ({
    async confirm(request) {
      const foundMistakes = findCardMistakes(card, new Date());
      setMistakes(foundMistakes);
      const firstInvalidField = (['number', 'expiry', 'cvc'] as const).find((name) => foundMistakes[name]);
      if (firstInvalidField) {
        inputs.current[firstInvalidField]?.focus();
        return { outcome: 'incomplete' };
      }
      const confirmResult = await confirmAtSandbox({
        ...request,
        card: asksPostalCode ? card : { ...card, postalCode: '' },
      });
      if (confirmResult.outcome === 'refused') {
        const field = confirmResult.field ?? 'number';
        setMistakes({ [field]: confirmResult.words });
        inputs.current[field]?.focus();
      }
      return confirmResult;
    },
  }));

  const changeField = (name: keyof typeof emptyCard, text: string) => {
    setCard((before) => ({ ...before, [name]: text }));
    setMistakes(({ [name as keyof CardMistakes]: _, ...rest }) => rest);
  };
  /** Shows an error when an incomplete field loses the focus, but not when an empty field does. */
  const createBlurCheck = (name: keyof CardMistakes) => () => {
    if (!card[name]) return;
    const words = findCardMistakes(card, new Date())[name];
    if (words) setMistakes((before) => ({ ...before, [name]: words }));
  };

  const brand = findCardBrand(extractDigits(card.number));
  const { postalLabel } = addressFormats[country];
  return (
    <div className="space-y-5">
      <p className="rounded-lg bg-warn-soft px-4 py-3 text-[0.9375rem] text-warn">
        <strong className="font-semibold">Sandbox:</strong> no real card is charged. Pay with one of the test cards.
      </p>
      <Field label="Card number" error={mistakes.number}>
        {(tied) => (
          <div className="relative">
            <FormattedInput
              {...tied}
              ref={registerInput('number')}
              name="cardNumber"
              autoComplete="cc-number"
              inputMode="numeric"
              placeholder="1234 1234 1234 1234"
              className="pr-24 tabular-nums"
              value={card.number}
              format={formatCardNumber}
              onText={(text) => changeField('number', text)}
              onBlur={createBlurCheck('number')}
            />
            <span
              aria-live="polite"
              className="pointer-events-none absolute inset-y-0 right-4 flex items-center text-sm font-semibold text-muted"
            >
              {brand.name}
            </span>
          </div>
        )}
      </Field>
      <div
        className={joinClassNames('grid grid-cols-2 gap-x-4 gap-y-5 sm:gap-x-5', asksPostalCode && 'sm:grid-cols-3')}
      >
        <Field label="Expiration date" error={mistakes.expiry}>
          {(tied) => (
            <FormattedInput
              {...tied}
              ref={registerInput('expiry')}
              name="cardExpiry"
              autoComplete="cc-exp"
              inputMode="numeric"
              placeholder="MM / YY"
              className="tabular-nums"
              value={card.expiry}
              format={formatExpiry}
              onText={(text) => changeField('expiry', text)}
              onBlur={createBlurCheck('expiry')}
            />
          )}
        </Field>
        <Field label="Security code" error={mistakes.cvc}>
          {(tied) => (
            <FormattedInput
              {...tied}
              ref={registerInput('cvc')}
              name="cardCvc"
              autoComplete="cc-csc"
              inputMode="numeric"
              placeholder="CVC"
              className="tabular-nums"
              value={card.cvc}
              format={(text) => extractDigits(text).slice(0, brand.cvcLength)}
              onText={(text) => changeField('cvc', text)}
              onBlur={createBlurCheck('cvc')}
            />
          )}
        </Field>
        {asksPostalCode && (
          <Field label={postalLabel} optional className="col-span-2 sm:col-span-1">
            {(tied) => (
              <FormattedInput
                {...tied}
                ref={registerInput('postalCode')}
                name="cardPostalCode"
                autoComplete="billing postal-code"
                value={card.postalCode}
                format={(text) => text.slice(0, 20)}
                onText={(text) => changeField('postalCode', text)}
              />
            )}
          </Field>
        )}
      </div>
      <TestCards
        onPick={(number) => {
          setCard((before) => ({
            ...before,
            number: formatCardNumber(number),
            expiry: before.expiry || '12 / 40',
            cvc: before.cvc || '123',
          }));
          setMistakes({});
        }}
      />
    </div>
  );
}
