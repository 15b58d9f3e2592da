import { LoaderCircle } from 'lucide-react';
import type { ButtonHTMLAttributes, MouseEvent, Ref } from 'react';
import { joinClassNames } from './classes.ts';
import { Link, type LinkProps } from './link.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'destructive' | 'on-night' | 'on-accent';
type Size = 'regular' | 'large' | 'small';

const classesByVariant: Record<ButtonVariant, string> = {
  primary: 'bg-accent text-white hover:bg-accent-deep',
  secondary: 'border border-edge bg-card text-ink hover:border-ink hover:bg-linen',
  quiet: 'text-ink hover:bg-linen',
  destructive: 'bg-bad text-white hover:bg-[#862024]',
  'on-night': 'bg-paper text-ink hover:bg-clay',
  'on-accent': 'border border-white/80 text-white hover:bg-white/10',
};
const sizes: Record<Size, string> = {
  small: 'min-h-11 px-4 text-[0.9375rem]',
  regular: 'min-h-12 px-6 text-base',
  large: 'min-h-14 px-8 text-[1.0625rem]',
};

interface Appearance {
  look?: ButtonVariant | undefined;
  size?: Size | undefined;
  /** As wide as its container. */
  wide?: boolean | undefined;
}

const buttonClasses = ({ look = 'primary', size = 'regular', wide }: Appearance, className?: string) =>
  joinClassNames(
    'inline-flex items-center justify-center gap-2 rounded-full font-semibold text-center leading-tight transition-colors duration-200 select-none',
    'disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 focus-visible:rounded-full',
    classesByVariant[look],
    sizes[size],
    wide && 'w-full',
    className,
  );

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Appearance {
  /** A busy button shows `busyLabel` and ignores further clicks. */
  busy?: boolean | undefined;
  busyLabel?: string | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** Ignores a click on a busy button, so that its action does not run twice and its form is not submitted twice. */
const ignoreClick = (event: MouseEvent) => {
  event.preventDefault();
  event.stopPropagation();
};

export function Button(props: ButtonProps) {
  const { look, size, wide, busy = false, busyLabel, className, children, onClick, ...rest } = props;
  return (
    <button
      type="button"
      className={buttonClasses({ look, size, wide }, className)}
      // Not `disabled`, because a disabled button loses the focus.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      {...rest}
      onClick={busy ? ignoreClick : onClick}
    >
      {busy && <LoaderCircle aria-hidden className="size-5 animate-spin" />}
      {busy && busyLabel ? busyLabel : children}
    </button>
  );
}

export function LinkButton({ look, size, wide, className, ...rest }: LinkProps & Appearance) {
  return <Link className={buttonClasses({ look, size, wide }, className)} {...rest} />;
}
