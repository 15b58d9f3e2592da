import type { UseFormReturn } from 'react-hook-form';
import { Field, Select, TextArea, TextInput } from '../../ui/field.tsx';
import { MediaControl } from '../media/media-control.tsx';
import type { FieldText } from './sections.ts';

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
              <MediaControl
                of={label}
                address={form.watch(path) as string | undefined}
                route="POST /api/admin/content/upload"
                fields={{ section }}
                onUploaded={(url) => form.setValue(path, url, { shouldDirty: true, shouldValidate: true })}
              >
                <TextInput {...tied} {...registered} autoComplete="off" spellCheck={false} />
              </MediaControl>
            );
          case 'text':
            return <TextInput {...tied} {...registered} />;
        }
      }}
    </Field>
  );
}

const isWide = (kind: FieldText['kind']) => kind === 'long' || kind === 'media';

const absent = (value: unknown) => (value === '' ? null : value);
/** Convert the value of an input to the form's value. An empty number or choice becomes null. */
const readers: Partial<Record<NonNullable<FieldText['kind']>, (value: unknown) => unknown>> = {
  choice: absent,
  number: (value) => {
    const given = absent(typeof value === 'string' ? value.trim() : value);
    return given === null || given === undefined ? null : Number(given);
  },
};
