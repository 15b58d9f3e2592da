import { CircleAlert } from 'lucide-react';
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { joinClassNames } from './classes.ts';

/** The attributes that connect an input to its label, hint and error. */
interface InputAttributes {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
  'aria-required'?: true;
}

export interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  /** Marks the field as optional. Fields without the mark are required. */
  optional?: boolean | undefined;
  className?: string | undefined;
  children: (tied: InputAttributes) => ReactNode;
}

/** Label, control, hint and error, connected for screen readers. */
export function Field({ label, hint, error, optional = false, className, children }: FieldProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {label}
        {optional && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children({
        id,
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(error && { 'aria-invalid': true }),
        ...(!optional && { 'aria-required': true }),
      })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1.5 text-[0.9375rem] text-muted">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} words={error} />
    </div>
  );
}

export function FieldError({ id, words }: { id?: string; words?: string | undefined }) {
  return (
    <p id={id} className={words ? 'mt-1.5 flex items-start gap-1.5 text-[0.9375rem] font-medium text-bad' : 'hidden'}>
      {words && <CircleAlert aria-hidden className="mt-1 size-4 shrink-0" />}
      {words}
    </p>
  );
}

const controlClasses = joinClassNames(
  'w-full rounded-md border border-edge bg-card px-4 text-ink placeholder:text-muted transition-colors',
  'hover:border-ink aria-invalid:border-bad aria-invalid:bg-bad-soft/40 disabled:bg-linen disabled:text-muted',
);

export function TextInput({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> | undefined }) {
  return <input type="text" className={joinClassNames(controlClasses, 'h-12', className)} {...rest} />;
}

export function TextArea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> | undefined }) {
  return (
    <textarea rows={6} className={joinClassNames(controlClasses, 'block py-3 leading-relaxed', className)} {...rest} />
  );
}

export function Select({
  className,
  children,
  ...rest
}: SelectHTMLAttributes<HTMLSelectElement> & { ref?: Ref<HTMLSelectElement> | undefined }) {
  return (
    <select
      className={joinClassNames(controlClasses, 'chevron h-12 appearance-none bg-no-repeat pr-11', className)}
      {...rest}
    >
      {children}
    </select>
  );
}

export interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A native checkbox with a clickable label next to it. */
export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={className}>
      <div className="flex gap-3">
        <input
          type="checkbox"
          id={id}
          className="mt-0.5 size-6 shrink-0 cursor-pointer rounded-sm accent-accent"
          {...(describedBy && { 'aria-describedby': describedBy })}
          {...(error && { 'aria-invalid': true as const })}
          {...rest}
        />
        <div>
          <label htmlFor={id} className="block cursor-pointer font-medium">
            {label}
          </label>
          {hint && (
            <p id={`${id}-hint`} className="mt-1 text-[0.9375rem] text-muted">
              {hint}
            </p>
          )}
        </div>
      </div>
      <FieldError id={`${id}-error`} words={error} />
    </div>
  );
}
