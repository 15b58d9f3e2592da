import { Check } from 'lucide-react';
import { joinClassNames } from '../ui/classes.ts';

const steps = ['Customer Details', 'Payment'];

/** The two steps of checkout, and the current one. */
export function CheckoutSteps({ current, isFirstOpen }: { current: 1 | 2; isFirstOpen: boolean }) {
  return (
    <nav aria-label="Checkout" className="mb-8 max-w-md sm:mb-10">
      <ol className="flex items-center justify-between gap-4">
        {steps.map((name, index) => {
          const number = index + 1;
          const isDone = number < current && !isFirstOpen;
          const isCurrent = number === current;
          return (
            <li
              key={name}
              aria-current={isCurrent ? 'step' : undefined}
              className={joinClassNames('flex items-center gap-2.5', isCurrent ? 'font-semibold' : 'text-muted')}
            >
              <span
                className={joinClassNames(
                  'grid size-8 shrink-0 place-items-center rounded-full text-[0.9375rem] font-semibold tabular-nums',
                  isDone && 'bg-good text-white',
                  isCurrent && 'bg-accent text-white',
                  !isDone && !isCurrent && 'border border-edge',
                )}
              >
                {isDone ? <Check aria-hidden className="size-4.5" strokeWidth={3} /> : number}
              </span>
              {name}
              {isDone && <span className="sr-only">(done)</span>}
            </li>
          );
        })}
      </ol>
      <progress
        aria-label={`Step ${current} of ${steps.length}`}
        max={steps.length}
        value={current}
        className="progress-bar mt-4 h-1.5"
      />
    </nav>
  );
}
