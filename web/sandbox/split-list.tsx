import type { ReactNode } from 'react';
import { joinClassNames } from '../ui/classes.ts';

/** A list with the chosen item next to it. On a phone the item replaces the list. */
export function SplitList(props: {
  label: string;
  items: { id: string; title: string; words: string }[];
  chosen: string | undefined;
  onChoose: (id: string) => void;
  footer?: ReactNode;
  /** The content of the chosen item. */
  children?: ReactNode;
}) {
  const { label, items, chosen, onChoose, footer, children } = props;
  return (
    <div className="items-start gap-6 lg:grid lg:grid-cols-[minmax(16rem,22rem)_minmax(0,1fr)]">
      <div
        className={joinClassNames(
          'overflow-hidden rounded-lg border border-hair bg-card',
          chosen !== undefined && 'max-lg:hidden',
        )}
      >
        <ul aria-label={label} className="divide-y divide-hair lg:max-h-[80dvh] lg:overflow-y-auto">
          {items.map(({ id, title, words }) => (
            <li key={id}>
              <button
                type="button"
                {...(id === chosen && { 'aria-current': 'true' as const })}
                onClick={() => onChoose(id)}
                className={joinClassNames(
                  'block min-h-14 w-full px-4 py-2.5 text-left transition-colors',
                  id === chosen ? 'bg-accent-soft/60' : 'hover:bg-linen/60',
                )}
              >
                <span className="block font-semibold">{title}</span>
                <span className="block truncate text-sm text-muted">{words}</span>
              </button>
            </li>
          ))}
        </ul>
        {footer && <div className="border-t border-hair">{footer}</div>}
      </div>
      <div className={joinClassNames(chosen === undefined && 'max-lg:hidden')}>
        {children || (
          <p className="rounded-lg bg-linen/60 px-6 py-16 text-center text-muted">Choose an email to read it here.</p>
        )}
      </div>
    </div>
  );
}
