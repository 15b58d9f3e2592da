import { Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { joinClassNames } from './classes.ts';
import { withoutLineBreaks } from './without-line-breaks.tsx';

interface Item {
  title: string;
  body: ReactNode;
}

/** Questions with answers that open one at a time. Without JavaScript all answers are open. */
export function Accordion({ items, level: Heading = 'h3' }: { items: Item[]; level?: 'h2' | 'h3' }) {
  const [openIndex, setOpenIndex] = useState<number>();
  const id = useId();
  return (
    <div className="divide-y divide-hair border-y border-hair">
      {items.map(({ title, body }, index) => {
        const isOpen = index === openIndex;
        return (
          <div key={title}>
            {/* Without JavaScript the button is hidden. Without this label the heading would then have no name. */}
            <Heading aria-labelledby={`${id}-${index}-title`} className="tracking-normal">
              <button
                type="button"
                id={`${id}-${index}`}
                aria-expanded={isOpen}
                aria-controls={`${id}-${index}-panel`}
                onClick={() => setOpenIndex(isOpen ? undefined : index)}
                className="answers-by-script flex min-h-16 w-full items-center justify-between gap-6 py-4 text-left font-sans text-lg font-semibold transition-colors hover:text-accent-deep"
              >
                <span id={`${id}-${index}-title`}>{title}</span>
                <Plus
                  aria-hidden
                  className={joinClassNames(
                    'needs-script size-5 shrink-0 text-accent transition-transform duration-300',
                    isOpen && 'rotate-45',
                  )}
                />
              </button>
            </Heading>
            <section
              id={`${id}-${index}-panel`}
              aria-labelledby={`${id}-${index}`}
              className={joinClassNames(
                'accordion-panel grid transition-[grid-template-rows,visibility] duration-300 ease-calm',
                isOpen ? 'visible grid-rows-[1fr]' : 'invisible grid-rows-[0fr]',
              )}
            >
              <div className="min-h-0 overflow-hidden">
                <div className="max-w-[68ch] pb-6 text-muted">
                  {typeof body === 'string' ? withoutLineBreaks(body) : body}
                </div>
              </div>
            </section>
          </div>
        );
      })}
    </div>
  );
}
