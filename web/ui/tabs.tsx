import * as RadixTabs from 'radix-ui/tabs';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { classes } from './classes.ts';

interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

/** Tabs the caller steers, so that the chosen one can live in the URL. */
export function Tabs(props: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: Tab[];
  /** manual: a tab that is reached by keys opens with Enter, so that leaving another can be asked about. */
  activation?: 'automatic' | 'manual';
  /** inner: tabs within a tab, as wide as their words. */
  look?: 'inner';
}) {
  const { value } = props;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = list;
    const chosen = current?.querySelector<HTMLElement>(`[id$="-trigger-${value}"]`);
    // Of more tabs than fit, the chosen one is in sight.
    if (current && chosen) current.scrollLeft = chosen.offsetLeft - (current.clientWidth - chosen.offsetWidth) / 2;
  }, [value]);
  return (
    <RadixTabs.Root value={props.value} onValueChange={props.onChange} activationMode={props.activation ?? 'automatic'}>
      <RadixTabs.List
        ref={list}
        aria-label={props.label}
        className={classes(
          'relative flex gap-1 overflow-x-auto rounded-full bg-linen p-1.5',
          props.look === 'inner' && 'w-fit max-w-full',
        )}
      >
        {props.tabs.map(({ value, label }) => (
          <RadixTabs.Trigger
            key={value}
            value={value}
            className="min-h-11 flex-1 rounded-full px-3 font-semibold sm:px-5 whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:rounded-full data-[state=active]:bg-card data-[state=active]:text-ink data-[state=active]:shadow-soft"
          >
            {label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {props.tabs.map(({ value, content }) => (
        <RadixTabs.Content key={value} value={value} className="pt-6">
          {/* Radix draws the one that is left once more: what is chosen by then is not its own. */}
          {value === props.value && content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
