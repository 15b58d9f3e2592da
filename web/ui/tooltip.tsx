import * as RadixTooltip from 'radix-ui/tooltip';
import type { ReactElement, ReactNode } from 'react';

/** A short aside on hover or focus, after 700 ms. Never the only place a fact stands. */
export function Tooltip({ words, children }: { words: ReactNode; children: ReactElement }) {
  return (
    <RadixTooltip.Provider delayDuration={700}>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            sideOffset={6}
            className="z-50 max-w-xs animate-fade rounded-md bg-night px-3 py-2 text-sm text-paper shadow-lifted"
          >
            {words}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
