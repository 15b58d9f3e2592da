import { type InputHTMLAttributes, type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { TextInput } from '../../ui/field.tsx';
import { caretAfterDigits, extractDigits } from './card-number.ts';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  ref: Ref<HTMLInputElement>;
  value: string;
  format: (text: string, previous: string) => string;
  onText: (text: string) => void;
}

/** A text input that formats its value as on the card. The caret stays after the digit that was edited. */
export function FormattedInput({ ref, value, format, onText, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current!, []);
  const digitsBeforeCaret = useRef<number>(undefined);
  useLayoutEffect(() => {
    const digitCount = digitsBeforeCaret.current;
    digitsBeforeCaret.current = undefined;
    if (digitCount === undefined || input.current !== document.activeElement) return;
    const caret = caretAfterDigits(value, digitCount);
    input.current?.setSelectionRange(caret, caret);
  }, [value]);
  return (
    <TextInput
      ref={input}
      value={value}
      onChange={({ target }) => {
        const text = format(target.value, value);
        const caret = target.selectionStart ?? target.value.length;
        const isInTheMiddle = caret < target.value.length;
        digitsBeforeCaret.current = isInTheMiddle ? extractDigits(target.value.slice(0, caret)).length : undefined;
        onText(text);
      }}
      {...rest}
    />
  );
}
