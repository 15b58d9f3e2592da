import { ChevronLeft, ChevronRight } from 'lucide-react';
import * as RadixTabs from 'radix-ui/tabs';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { joinClassNames } from './classes.ts';

interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

/** Controlled tabs, so that the selected tab can be in the URL. */
export function Tabs(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: Tab[];
  /**
   * manual: a tab focused by keyboard opens only with Enter. Use it if leaving the current tab can ask a question
   * first.
   */
  activation?: 'automatic' | 'manual';
  /**
   * inner: tabs within a tab, as wide as their labels. many: less space between tabs on a tablet, so that more of them
   * fit.
   */
  look?: 'inner' | 'many';
}) {
  const { value, look } = props;
  const tabListRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = tabListRef;
    const chosenTab = current?.querySelector<HTMLElement>(`[id$="-trigger-${value}"]`);
    // If not all tabs fit, scroll the selected tab into view.
    if (current && chosenTab)
      current.scrollLeft = chosenTab.offsetLeft - (current.clientWidth - chosenTab.offsetWidth) / 2;
  }, [value]);
  const hiddenEdges = useHiddenTabs(tabListRef);
  return (
    <RadixTabs.Root value={props.value} onValueChange={props.onChange} activationMode={props.activation ?? 'automatic'}>
      <div
        className={joinClassNames(
          'needs-script relative overflow-hidden rounded-full bg-linen',
          look === 'inner' && 'w-fit max-w-full',
        )}
      >
        <RadixTabs.List
          ref={tabListRef}
          aria-label={props.label}
          // scroll-px: the arrows at both ends must not cover a focused tab. mx-px: the arrows do not cover the rounded
          // edge itself, so no text may be there.
          className={joinClassNames(
            'relative mx-px flex scroll-px-12 [scrollbar-width:none] gap-1 overflow-x-auto p-1.5',
            look === 'many' && 'sm:max-lg:gap-0',
          )}
        >
          {props.tabs.map(({ value, label }) => (
            <RadixTabs.Trigger
              key={value}
              value={value}
              className={joinClassNames(
                'min-h-11 flex-1 rounded-full px-3 font-semibold whitespace-nowrap sm:px-5 text-muted transition-colors hover:text-ink focus-visible:rounded-full data-[state=active]:bg-card data-[state=active]:text-ink data-[state=active]:shadow-soft',
                look === 'many' && 'sm:max-lg:flex-auto sm:max-lg:px-1 sm:max-lg:text-sm',
              )}
            >
              {label}
            </RadixTabs.Trigger>
          ))}
        </RadixTabs.List>
        {hiddenEdges.before && (
          <span aria-hidden className={joinClassNames(hintClasses, 'left-0 bg-linear-to-r pl-2')}>
            <ChevronLeft className="size-5" />
          </span>
        )}
        {hiddenEdges.after && (
          <span aria-hidden className={joinClassNames(hintClasses, 'right-0 justify-end bg-linear-to-l pr-2')}>
            <ChevronRight className="size-5" />
          </span>
        )}
      </div>
      {props.tabs.map(({ value, content }) => (
        <RadixTabs.Content key={value} value={value} className="pt-6">
          {/* Radix renders the previous tab once more, when `value` is already the new tab. Render no content then. */}
          {value === props.value && content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}

const hintClasses =
  'pointer-events-none absolute inset-y-0 flex w-14 items-center from-linen from-50% to-transparent text-muted';

/** Whether the scrolling list has hidden content before and after its visible part. */
function useHiddenTabs(list: RefObject<HTMLElement | null>) {
  const [before, setBefore] = useState(false);
  const [after, setAfter] = useState(false);
  useLayoutEffect(() => {
    const { current } = list;
    if (!current) return;
    const updateOverflow = () => {
      const { scrollLeft, clientWidth, scrollWidth } = current;
      setBefore(scrollLeft > toleratedPixels);
      setAfter(scrollLeft + clientWidth < scrollWidth - toleratedPixels);
    };
    updateOverflow();
    current.addEventListener('scroll', updateOverflow, { passive: true });
    const resizeObserver = new ResizeObserver(updateOverflow);
    for (const observedElement of [current, ...current.children]) resizeObserver.observe(observedElement);
    return () => {
      current.removeEventListener('scroll', updateOverflow);
      resizeObserver.disconnect();
    };
  }, [list]);
  return { before, after };
}

/** Up to this many pixels hide no text, only the space around the first and the last tab. */
const toleratedPixels = 6;
