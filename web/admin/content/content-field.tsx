import { useId } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Checkbox, Field, Select, TextArea, TextInput } from '../../ui/field.tsx';
import { MediaControl } from '../media/media-control.tsx';
import { weekdayNames } from './compared-fields.ts';
import { type FieldText, optionLabel } from './sections.ts';

interface Props {
  form: UseFormReturn;
  /** The path in the form's values: `items.0.title`. */
  path: string;
  words: FieldText;
  /** The name of the section that the field is part of. */
  section: string;
}

/** One field of the shop's content, with the input for its kind. */
export function ContentField({ form, path, words, section }: Props) {
  const { label, kind = 'text', optional, options = [] } = words;
  if (words.setByServer !== undefined) return <ReadOnlyField words={words} value={words.setByServer} />;
  if (kind === 'weekdays') return <Weekdays form={form} path={path} words={words} />;
  const { error } = form.getFieldState(path, form.formState);
  const setValueAs = readValueByKind[kind];
  const inputProps = form.register(path, setValueAs && { setValueAs });
  return (
    <Field
      label={label}
      hint={[words.hint, words.defaultHint].filter(Boolean).join(' ')}
      optional={optional}
      error={error?.message}
      className={(words.wide ?? isWide(kind)) ? 'sm:col-span-2' : undefined}
    >
      {(tied) => {
        switch (kind) {
          case 'long':
            return <TextArea {...tied} {...inputProps} rows={4} />;
          case 'choice':
            return (
              <Select {...tied} {...inputProps}>
                {optional && <option value="">None</option>}
                {options.map((it) => (
                  <option key={it} value={it}>
                    {optionLabel(words, it)}
                  </option>
                ))}
              </Select>
            );
          case 'day':
            return <TextInput {...tied} {...inputProps} type="date" />;
          case 'number':
            return <TextInput {...tied} {...inputProps} inputMode="decimal" />;
          case 'media':
            return (
              <MediaControl
                of={label}
                address={form.watch(path) as string | undefined}
                route="POST /api/admin/content/upload"
                fields={{ section }}
                onUploaded={(url) => form.setValue(path, url, { shouldDirty: true, shouldValidate: true })}
              >
                <TextInput {...tied} {...inputProps} autoComplete="off" spellCheck={false} />
              </MediaControl>
            );
          case 'text':
            return <TextInput {...tied} {...inputProps} />;
        }
      }}
    </Field>
  );
}

/** A value that an environment variable of the server sets. */
function ReadOnlyField({ words, value }: { words: FieldText; value: string }) {
  const serverHint = `Set by the server (${words.variable}). You can’t change it here.`;
  return (
    <Field label={words.label} hint={[words.hint, serverHint].filter(Boolean).join(' ')}>
      {(tied) => <TextInput {...tied} value={value} readOnly className="bg-linen" />}
    </Field>
  );
}

function Weekdays({ form, path, words }: Pick<Props, 'form' | 'path' | 'words'>) {
  const chosenValues = (form.watch(path) ?? []) as number[];
  const { error } = form.getFieldState(path, form.formState);
  const id = useId();
  return (
    <fieldset className="sm:col-span-2" aria-describedby={`${id}-hint`}>
      <legend className="font-semibold">{words.label}</legend>
      <p id={`${id}-hint`} className="mt-1 text-[0.9375rem] text-muted">
        {words.hint}
      </p>
      <div className="mt-3 flex flex-wrap gap-x-6 gap-y-3">
        {weekdayNames.map((name, day) => (
          <Checkbox
            key={name}
            label={name}
            checked={chosenValues.includes(day)}
            onChange={({ target }) => {
              const otherDays = chosenValues.filter((it) => it !== day);
              const nextDays = target.checked ? [...otherDays, day].toSorted((a, b) => a - b) : otherDays;
              form.setValue(path, nextDays, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
            }}
          />
        ))}
      </div>
      <div role="alert">{error && <p className="mt-2 text-bad">{error.message}</p>}</div>
    </fieldset>
  );
}

const isWide = (kind: FieldText['kind']) => kind === 'long' || kind === 'media';

const nullIfEmpty = (value: unknown) => (value === '' ? null : value);
/** Convert the value of an input to the form's value. An empty number or choice becomes null. */
const readValueByKind: Partial<Record<NonNullable<FieldText['kind']>, (value: unknown) => unknown>> = {
  choice: nullIfEmpty,
  number: (value) => {
    const trimmedValue = nullIfEmpty(typeof value === 'string' ? value.trim() : value);
    return trimmedValue === null || trimmedValue === undefined ? null : Number(trimmedValue);
  },
};
