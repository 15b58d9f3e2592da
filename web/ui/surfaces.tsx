import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { joinClassNames } from './classes.ts';

/** A box with a border and a shadow. */
export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return (
    <div
      className={joinClassNames('rounded-xl border border-hair bg-card p-6 shadow-soft sm:p-8', className)}
      {...rest}
    />
  );
}

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad' | 'outline';
const tones: Record<Tone, string> = {
  neutral: 'bg-linen text-ink',
  accent: 'bg-accent-soft text-accent-deep',
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  outline: 'border border-edge text-ink',
};

export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: Tone;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <span
      className={joinClassNames(
        'inline-flex items-center gap-1.5 rounded-full px-3 py-1 text-sm font-semibold leading-tight',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const noticeIcons = { neutral: Info, good: CircleCheck, warn: TriangleAlert, bad: CircleAlert };

/** A message within the page. Screen readers announce `bad` and `warn`. */
export function Notice(props: {
  tone?: keyof typeof noticeIcons;
  title?: string;
  className?: string | undefined;
  children?: ReactNode;
}) {
  const { tone = 'neutral', title, className, children } = props;
  const Icon = noticeIcons[tone];
  return (
    <div
      role={tone === 'bad' || tone === 'warn' ? 'alert' : undefined}
      className={joinClassNames('flex gap-3 rounded-lg p-4 text-left', tones[tone], className)}
    >
      <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className={tone === 'neutral' ? 'text-muted' : 'text-ink'}>{children}</div>}
      </div>
    </div>
  );
}

/** Says that there is nothing here yet, and what to do. */
export function EmptyState(props: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-16 text-center">
      {props.icon && (
        <div className="grid size-14 place-items-center rounded-full bg-linen text-muted">{props.icon}</div>
      )}
      <p className="title-3">{props.title}</p>
      {props.children && <p className="text-muted">{props.children}</p>}
      {props.action && <div className="mt-3">{props.action}</div>}
    </div>
  );
}

/** A placeholder while content loads. Give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={joinClassNames('animate-breathe rounded-md bg-clay/70', className)} />;
}

/** The progress of a long operation, 0 to 1. */
export function ProgressBar({ value, label, className }: { value: number; label: string; className?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <progress aria-label={label} max={100} value={percent} className={joinClassNames('progress-bar', className)} />
  );
}
