import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { FieldPath, FieldValues } from 'react-hook-form';
import { Field, TextInput } from '../../ui/field.tsx';
import type { ShopForm } from '../../ui/form.tsx';

interface Props<In extends FieldValues, Out> {
  form: ShopForm<In, Out>;
  name: FieldPath<In>;
  label: string;
  hint?: ReactNode;
  autoComplete: 'current-password' | 'new-password';
}

/** A password field with a button that shows the password. */
export function PasswordField<In extends FieldValues, Out>({ form, name, label, hint, autoComplete }: Props<In, Out>) {
  const [isShown, setIsShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  return (
    <Field label={label} hint={hint} error={form.getFieldState(name, form.formState).error?.message}>
      {(tied) => (
        <div className="relative">
          <TextInput
            {...tied}
            {...form.register(name)}
            type={isShown ? 'text' : 'password'}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            className="pr-14"
          />
          <button
            type="button"
            aria-label={`${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
            onClick={() => setIsShown(!isShown)}
            className="needs-script absolute top-0.5 right-0.5 grid size-11 place-items-center rounded-md text-muted transition-colors hover:text-ink"
          >
            <Icon aria-hidden className="size-5" />
          </button>
        </div>
      )}
    </Field>
  );
}
