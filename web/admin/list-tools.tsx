import { Search } from 'lucide-react';
import { type Ref, useEffect, useState } from 'react';
import { Select, TextInput } from '../ui/field.tsx';

const typingMs = 200;

/** What is searched for, in the address shortly after the last letter. */
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
    // The address changed from elsewhere: a link, the back button, another tab of the panel.
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
    // oxlint-disable-next-line react/exhaustive-deps -- only typing starts the clock
  }, [typed]);
  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-muted" />
      <TextInput
        ref={inputRef}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        className="pl-11"
      />
    </div>
  );
}

export function Filter<V extends string>(props: {
  label: string;
  value: V | undefined;
  all: string;
  options: readonly { value: V; label: string }[];
  onChange: (value: V | undefined) => void;
}) {
  return (
    <div className="w-full sm:w-56">
      <Select
        aria-label={props.label}
        value={props.value ?? ''}
        onChange={(event) => props.onChange((event.currentTarget.value || undefined) as V | undefined)}
      >
        <option value="">{props.all}</option>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}
