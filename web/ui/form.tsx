import { zodResolver } from '@hookform/resolvers/zod';
import {
  type BaseSyntheticEvent,
  type HTMLInputTypeAttribute,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, type UseFormReturn, useForm } from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import { ApiError } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { Button, type ButtonProps } from './button.tsx';
import { DialogCloserContext } from './dialog-closing.ts';
import { Checkbox, Field, Select, TextArea, TextInput } from './field.tsx';
import { useKeys } from './keys.ts';
import { expectToasts } from './toast.ts';
import { useHydrated } from './use-hydrated.ts';

interface Options<In extends FieldValues, Out> {
  /** Leave out text fields without a value: an empty default would erase what a visitor typed before hydration. */
  defaultValues?: DefaultValues<In> | undefined;
  onSubmit: (values: Out) => unknown;
  /** The error text if the API's response contains none. */
  fallbackText?: string;
  /** For pages that show the error in a toast. Otherwise put <FormProblem form={form} /> above the button. */
  onProblem?: (words: string, error: unknown) => void;
}

export interface ShopForm<In extends FieldValues, Out> extends UseFormReturn<In, unknown, Out> {
  submit: (event?: BaseSyntheticEvent) => Promise<void>;
  busy: boolean;
  /** The error text of the last submit, unless it is shown at a field. */
  problem: string | undefined;
}

/**
 * The hook for all forms. Validation rules and texts come from the contract. Validates on submit, and then on every
 * change. Focuses the first invalid field, keeps all typed values, and shows the API's errors at their fields.
 */
export function useShopForm<In extends FieldValues, Out extends FieldValues>(
  schema: $ZodType<Out, In>,
  { defaultValues, onSubmit, fallbackText, onProblem }: Options<In, Out>,
): ShopForm<In, Out> {
  const form = useForm<In, unknown, Out>({
    resolver: zodResolver(schema),
    ...(defaultValues && { defaultValues }),
    shouldFocusError: false, // the library would focus the first registered invalid field, not the first on the page
  });
  const focusInvalidField = (event?: BaseSyntheticEvent) => {
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
        focusInvalidField(event);
        const words = errorText(error, fallbackText);
        if (fields.length === 0) setProblem(words);
        onProblem?.(words, error);
      }
    },
    (_, event) => focusInvalidField(event),
  );
  return { ...form, submit, busy: form.formState.isSubmitting, problem };
}

export function Form<In extends FieldValues, Out>(props: {
  form: ShopForm<In, Out>;
  label?: string;
  className?: string;
  children: ReactNode;
}) {
  const element = useRef<HTMLFormElement>(null);
  useSubmitKey(element);
  return (
    // method="post": if the browser itself submits the form, private values do not get into the address.
    <form
      ref={element}
      noValidate
      method="post"
      aria-label={props.label}
      className={props.className ?? 'space-y-6'}
      onSubmit={(event) => {
        // React passes an event of a form in a dialog on to the form that contains the dialog's button.
        event.stopPropagation();
        void props.form.submit(event);
      }}
    >
      {props.children}
    </form>
  );
}

/** Ctrl+Enter or ⌘+Enter in a text area clicks the form's first submit button. Enter alone adds a line there. */
function useSubmitKey(form: RefObject<HTMLFormElement | null>) {
  const isTyping = () =>
    document.activeElement instanceof HTMLTextAreaElement && !!form.current?.contains(document.activeElement);
  const submit = () => form.current?.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
  useKeys({ Enter: submit }, { withControl: true, when: isTyping });
}

/**
 * For a form that replaces another form: focuses a field, so that the user can continue to type. Focuses the field
 * again whenever `trigger` changes.
 */
export function useFirstFocus<In extends FieldValues, Out>(
  form: ShopForm<In, Out>,
  name: FieldPath<In>,
  trigger?: unknown,
) {
  useEffect(() => {
    form.setFocus(name);
    // oxlint-disable-next-line react/exhaustive-deps -- the form is a new object on each render
  }, [trigger]);
}

interface NamedFieldProps<In extends FieldValues, Out> {
  form: ShopForm<In, Out>;
  name: FieldPath<In>;
  label: ReactNode;
  hint?: ReactNode;
  optional?: boolean;
  className?: string;
}

const findFieldError = <In extends FieldValues, Out>({ form, name }: Pick<NamedFieldProps<In, Out>, 'form' | 'name'>) =>
  form.getFieldState(name, form.formState).error?.message;

interface TextFieldProps<In extends FieldValues, Out> extends NamedFieldProps<In, Out> {
  type?: HTMLInputTypeAttribute;
  autoComplete?: string;
  inputMode?: 'text' | 'email' | 'tel' | 'numeric' | 'decimal';
  placeholder?: string;
  maxLength?: number;
  /** For date fields. */
  min?: string;
  max?: string;
}

export function TextField<In extends FieldValues, Out>(props: TextFieldProps<In, Out>) {
  const { form, name, label, hint, optional, className, ...rest } = props;
  return (
    <Field label={label} hint={hint} optional={optional} className={className} error={findFieldError(props)}>
      {(tied) => <TextInput {...tied} {...rest} {...form.register(name)} />}
    </Field>
  );
}

export function TextAreaField<In extends FieldValues, Out>(
  props: NamedFieldProps<In, Out> & { rows?: number; maxLength?: number },
) {
  const { form, name, label, hint, optional, className, ...rest } = props;
  return (
    <Field label={label} hint={hint} optional={optional} className={className} error={findFieldError(props)}>
      {(tied) => <TextArea {...tied} {...rest} {...form.register(name)} />}
    </Field>
  );
}

export function SelectField<In extends FieldValues, Out>(
  props: NamedFieldProps<In, Out> & { options: readonly { value: string; label: string }[]; autoComplete?: string },
) {
  const { form, name, label, hint, optional, className, options, autoComplete } = props;
  return (
    <Field label={label} hint={hint} optional={optional} className={className} error={findFieldError(props)}>
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

export function CheckboxField<In extends FieldValues, Out>(props: Omit<NamedFieldProps<In, Out>, 'optional'>) {
  const { form, name, label, hint, className } = props;
  return (
    <Checkbox label={label} hint={hint} className={className} error={findFieldError(props)} {...form.register(name)} />
  );
}

/** A field that people and screen readers do not see. Only a bot fills it in. */
export function Honeypot<In extends FieldValues, Out>({ form, name }: Pick<NamedFieldProps<In, Out>, 'form' | 'name'>) {
  return (
    <div aria-hidden className="absolute -left-[9999px] h-px w-px overflow-hidden">
      <label>
        Leave this field empty
        <input type="text" tabIndex={-1} autoComplete="off" {...form.register(name)} />
      </label>
    </div>
  );
}

/** The error of the last submit, announced to screen readers. */
export function FormProblem({ form }: { form: { problem: string | undefined } }) {
  return (
    <div role="alert">
      {form.problem && <p className="rounded-lg bg-bad-soft p-4 font-medium text-bad">{form.problem}</p>}
    </div>
  );
}

/** The buttons under a form in a dialog. Without `onCancel`, Cancel closes the dialog as its X does. */
export function FormButtons(props: {
  form: { busy: boolean };
  words: string;
  busyLabel?: string;
  /** The reason why the form cannot be submitted yet. Disables the button. */
  notYet?: string | undefined;
  onCancel?: () => void;
  /** The label of the button that closes the dialog. */
  backLabel?: string;
  isDestructive?: boolean;
}) {
  const dialogCloser = useContext(DialogCloserContext);
  const {
    form,
    words,
    busyLabel,
    notYet,
    onCancel = dialogCloser?.ask,
    backLabel = 'Cancel',
    isDestructive = false,
  } = props;
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <Button look="secondary" disabled={form.busy} onClick={onCancel}>
        {backLabel}
      </Button>
      <SubmitButton
        form={form}
        busyLabel={busyLabel}
        title={notYet}
        {...(isDestructive && { look: 'destructive' })}
        {...(notYet && { disabled: true })}
      >
        {words}
      </SubmitButton>
    </div>
  );
}

/** Always disabled until hydration. An earlier click would reload the page and lose the typed values. */
export function SubmitButton(props: Omit<ButtonProps, 'form'> & { form: { busy: boolean } }) {
  const { form, disabled = false, ...rest } = props;
  const hydrated = useHydrated();
  return (
    <>
      {/* Before the button: with scripts it is hidden, and as the last child it would add a gap below the button. */}
      <noscript>
        <p className="mb-2 text-[0.9375rem] text-muted">
          This form needs JavaScript. Please turn it on in your browser.
        </p>
      </noscript>
      <Button type="submit" busy={form.busy} {...rest} disabled={disabled || !hydrated} />
    </>
  );
}
