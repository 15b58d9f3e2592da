import { Search } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { joinClassNames } from '../../ui/classes.ts';
import { Select, TextInput } from '../../ui/field.tsx';

export const typingMs = 200;

/** The search field. Writes its text to the address shortly after the last key press. */
export function SearchBox(props: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  inputRef: Ref<HTMLInputElement>;
}) {
  const { label, value = '', onChange, inputRef } = props;
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (value !== known) {
    // The address was changed elsewhere: by a link, by the back button or by another tab of the panel.
    setKnown(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => {
      setKnown(typed);
      onChange(typed || undefined);
    }, typingMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts the timer
  }, [typed]);
  return (
    <div className="relative min-w-0 flex-1 basis-44 max-sm:col-span-2 @4xl:basis-64">
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-muted" />
      <TextInput
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        className="pl-11 text-ellipsis"
      />
    </div>
  );
}

/** A select whose first option means that nothing is chosen. */
export function OptionalSelect(props: {
  label: string;
  value: string | undefined;
  none: string;
  options: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
  className?: string;
}) {
  return (
    <div className={joinClassNames('w-full max-sm:last:even:col-span-2 sm:w-44 @4xl:w-56', props.className)}>
      <Select
        className="truncate max-sm:pl-3.5"
        aria-label={props.label}
        value={props.value ?? ''}
        onChange={(event) => props.onChange(event.currentTarget.value || undefined)}
      >
        <option value="">{props.none}</option>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
