import { type ReactNode, useId } from 'react';
import { joinClassNames } from '../ui/classes.ts';

/** A box with a title and an optional legend. */
export function Panel(props: {
  title: string;
  legend?: readonly { name: string; className: string }[] | undefined;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0 rounded-lg border border-hair bg-card p-4 sm:p-5">
      <header className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id={id} className="font-sans text-base font-semibold tracking-normal">
          {props.title}
        </h3>
        {props.legend && (
          <p aria-hidden className="flex gap-4 text-sm text-muted">
            {props.legend.map(({ name, className }) => (
              <span key={name} className="inline-flex items-center gap-1.5">
                <span className={joinClassNames('size-3 rounded-sm', className)} />
                {name}
              </span>
            ))}
          </p>
        )}
      </header>
      {props.children}
    </section>
  );
}
