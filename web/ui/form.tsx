import { zodResolver } from '@hookform/resolvers/zod';
import {
  type BaseSyntheticEvent,
  type HTMLInputTypeAttribute,
  type ReactNode,
  useContext,
  useEffect,
  useState,
} from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import { ApiError } from '../data/api.ts';
import { errorWords } from '../data/error-words.ts';
import { Button, type ButtonProps } from './button.tsx';
import { DialogClosing } from './dialog-closing.ts';
import { Checkbox, Field, Select, TextArea, TextInput } from './field.tsx';
import { expectToasts } from './toast.ts';
import { useHydrated } from './use-hydrated.ts';

interface Options<In extends FieldValues, Out> {
  /** Leave text fields out unless they have a value: what a quick visitor typed before hydration is then kept. */
  defaultValues?: DefaultValues<In> | undefined;
  onSubmit: (values: Out) => unknown;
  /** What this screen says when the shop gave no words of its own. */
  fallbackWords?: string;
  /** For screens that say it in a toast; otherwise put <FormProblem form={form} /> above the button. */
  onProblem?: (words: string, error: unknown) => void;
}

export interface ShopForm<In extends FieldValues, Out> extends UseFormReturn<In, unknown, Out> {
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  busy: boolean;
  /** Words for what went wrong with the last try, unless they stand at a field. */
  problem: string | undefined;
}

/**
 * The one form shape: rules and texts from the contract, checked on sending and then as the person corrects, the first
 * mistake focused, nothing typed ever lost, the shop's answer shown at the field it is about.
 */
export function useShopForm<In extends FieldValues, Out extends FieldValues>(
  schema: $ZodType<Out, In>,
  { defaultValues, onSubmit, fallbackWords, onProblem }: Options<In, Out>,
): ShopForm<In, Out> {
  const form = useForm<In, unknown, Out>({
    resolver: zodResolver(schema),
    ...(defaultValues && { defaultValues }),
    shouldFocusError: false, // it would go by when a field came, not by where it stands
  });
  const focusMistake = (event?: BaseSyntheticEvent) => {
    const fields = Array.from<HTMLInputElement>(event?.target.elements ?? []);
    fields.find(({ name }) => form.getFieldState(name as FieldPath<In>).invalid)?.focus();
  };
  const [problem, setProblem] = useState<string>();
  useEffect(expectToasts, []);
  const submit = form.handleSubmit(
    async (values, event) => {
      setProblem(undefined);
      try {
        await onSubmit(values);
      } catch (error) {
        const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
        for (const [path, message] of fields) form.setError(path as FieldPath<In>, { message });
        focusMistake(event);
        const words = errorWords(error, fallbackWords);
        if (fields.length === 0) setProblem(words);
        onProblem?.(words, error);
      }
    },
    (_, event) => focusMistake(event),
  );
  return { ...form, submit, busy: form.formState.isSubmitting, problem };
}

export function Form<In extends FieldValues, Out>(props: {
  form: ShopForm<In, Out>;
  label?: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    // method: should a browser ever send it by itself, nothing private lands in the address.
    <form
      noValidate
      method="post"
      aria-label={props.label}
      className={props.className ?? 'space-y-6'}
      onSubmit={(event) => void props.form.submit(event)}
    >
      {props.children}
    </form>
  );
}

/** For a form that takes another one's place: whoever types goes on in it. With each `anew` they are brought back to it. */
export function useFirstFocus<In extends FieldValues, Out>(
  form: ShopForm<In, Out>,
  name: FieldPath<In>,
  anew?: unknown,
) {
  useEffect(() => {
    form.setFocus(name);
    // oxlint-disable-next-line react/exhaustive-deps -- the form is another one at each rendering
  }, [anew]);
}

interface Named<In extends FieldValues, Out> {
  form: ShopForm<In, Out>;
  name: FieldPath<In>;
  label: ReactNode;
  hint?: ReactNode;
  optional?: boolean;
  className?: string;
}

const errorOf = <In extends FieldValues, Out>({ form, name }: Pick<Named<In, Out>, 'form' | 'name'>) =>
  form.getFieldState(name, form.formState).error?.message;

interface TextFieldProps<In extends FieldValues, Out> extends Named<In, Out> {
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'decimal';
  placeholder?: string;
  maxLength?: number;
  /** Of a day. */
  min?: string;
  max?: string;
}

export function TextField<In extends FieldValues, Out>(props: TextFieldProps<In, Out>) {
  const { form, name, label, hint, optional, className, ...rest } = props;
  return (
    <Field label={label} hint={hint} optional={optional} className={className} error={errorOf(props)}>
      {(tied) => <TextInput {...tied} {...rest} {...form.register(name)} />}
    </Field>
  );
}

export function TextAreaField<In extends FieldValues, Out>(
  props: Named<In, Out> & { rows?: number; maxLength?: number },
) {
  const { form, name, label, hint, optional, className, ...rest } = props;
  return (
    <Field label={label} hint={hint} optional={optional} className={className} error={errorOf(props)}>
      {(tied) => <TextArea {...tied} {...rest} {...form.register(name)} />}
    </Field>
  );
}

export function SelectField<In extends FieldValues, Out>(
  props: Named<In, Out> & { options: readonly { value: string; label: string }[]; autoComplete?: string },
) {
  const { form, name, label, hint, optional, className, options, autoComplete } = props;
  return (
    <Field label={label} hint={hint} optional={optional} className={className} error={errorOf(props)}>
      {(tied) => (
        <Select {...tied} autoComplete={autoComplete} {...form.register(name)}>
          {options.map(({ value, label: words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

export function CheckboxField<In extends FieldValues, Out>(props: Omit<Named<In, Out>, 'optional'>) {
  const { form, name, label, hint, className } = props;
  return <Checkbox label={label} hint={hint} className={className} error={errorOf(props)} {...form.register(name)} />;
}

/** Hidden from people and from screen readers; whoever fills it is a robot. */
export function Honeypot<In extends FieldValues, Out>({ form, name }: Pick<Named<In, Out>, 'form' | 'name'>) {
  return (
    <div aria-hidden className="absolute -left-[9999px] h-px w-px overflow-hidden">
      <label>
        Leave this field empty
        <input type="text" tabIndex={-1} autoComplete="off" {...form.register(name)} />
      </label>
    </div>
  );
}

/** The problem of the last try, announced. */
export function FormProblem({ form }: { form: { problem: string | undefined } }) {
  return (
    <div role="alert">
      {form.problem && <p className="rounded-lg bg-bad-soft p-4 font-medium text-bad">{form.problem}</p>}
    </div>
  );
}

/** Under a form in a dialog: leave it, as the dialog's X does unless said, or do it. */
export function FormButtons(props: {
  form: { busy: boolean };
  words: string;
  busyWords?: string;
  /** Why it cannot be done yet. */
  notYet?: string | undefined;
  onCancel?: () => void;
}) {
  const dialog = useContext(DialogClosing);
  const { form, words, busyWords, notYet, onCancel = dialog?.ask } = props;
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button look="secondary" disabled={form.busy} onClick={onCancel}>
        Cancel
      </Button>
      <SubmitButton form={form} busyWords={busyWords} title={notYet} {...(notYet && { disabled: true })}>
        {words}
      </SubmitButton>
    </div>
  );
}

/** Waits for hydration: before it, a click would reload the page and lose what was typed. */
export function SubmitButton({ form, ...rest }: Omit<ButtonProps, 'form'> & { form: { busy: boolean } }) {
  const hydrated = useHydrated();
  return (
    <>
      <Button type="submit" busy={form.busy} disabled={!hydrated} {...rest} />
      <noscript>
        <p className="mt-2 text-[0.9375rem] text-muted">This form needs JavaScript, which is switched off here.</p>
      </noscript>
    </>
  );
}
