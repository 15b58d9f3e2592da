import type { UseFormReturn } from 'react-hook-form';
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx';
import type { FieldWords } from './sections.ts';

interface Props {
  form: UseFormReturn;
  /** Where the form keeps it: `items.0.title`. */
  path: string;
  words: FieldWords;
}

/** One field of the shop's content, as its kind is entered. */
export function ContentField({ form, path, words }: Props) {
  const { label, kind = 'text', hint, optional, options = [] } = words;
  const { error } = form.getFieldState(path, form.formState);
  const setValueAs = readers[kind];
  const registered = form.register(path, setValueAs && { setValueAs });
  return (
    <Field
      label={label}
      hint={hint}
      optional={optional}
      error={error?.message}
      className={(words.wide ?? isWide(kind)) ? 'sm:col-span-2' : undefined}
    >
      {(tied) => {
        switch (kind) {
          case 'long':
            return <TextArea {...tied} {...registered} rows={4} />;
          case 'choice':
            return (
              <Select {...tied} {...registered}>
                <option value="">None</option>
                {options.map((it) => (
                  <option key={it} value={it}>
                    {it}
                  </option>
                ))}
              </Select>
            );
          case 'day':
            return <TextInput {...tied} {...registered} type="date" />;
          case 'number':
            return <TextInput {...tied} {...registered} inputMode="decimal" />;
          case 'media':
            return (
              <>
                <TextInput {...tied} {...registered} autoComplete="off" spellCheck={false} />
                <Preview address={form.watch(path) as string | undefined} />
              </>
            );
          case 'text':
            return <TextInput {...tied} {...registered} />;
        }
      }}
    </Field>
  );
}

const isWide = (kind: FieldWords['kind']) => kind === 'long' || kind === 'media';

const absent = (value: unknown) => (value === '' || value === null ? undefined : value);
/** What a control holds, as content has it: an empty number or choice is none. */
const readers: Partial<Record<NonNullable<FieldWords['kind']>, (value: unknown) => unknown>> = {
  choice: absent,
  number: (value) => {
    const given = absent(typeof value === 'string' ? value.trim() : value);
    return given === undefined ? undefined : Number(given);
  },
};

/** What an address leads to, so that a wrong one is seen before it is saved. */
function Preview({ address }: { address: string | undefined }) {
  if (!address) return null;
  const shape = 'mt-3 h-28 rounded-md border border-hair bg-linen object-cover';
  return /\.(mp4|mov|webm)$/i.test(address) ? (
    <video key={address} src={address} muted playsInline preload="metadata" className={shape} />
  ) : (
    <img key={address} src={address} alt="" className={shape} />
  );
}
