import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keyboard shortcuts of a page or an open dialog. They do nothing while a text field or a select has the focus. While a
 * video has the focus, the arrow keys seek in the video, unless `windsVideos` is false.
 */
export function useKeys(
  actions: Record<string, (() => void) | undefined>,
  {
    windsVideos = true,
    withControl = false,
    when = alwaysTrue,
  }: {
    windsVideos?: boolean;
    /** Shortcuts with Ctrl or ⌘. They type no text, so they also work while a field has the focus. */
    withControl?: boolean;
    when?: () => boolean;
  } = {},
): void {
  const latestKeys = useRef({ actions, when });
  // Use a layout effect, which runs before the browser paints: a key must act on what the page shows now.
  useLayoutEffect(() => {
    latestKeys.current = { actions, when };
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || (event.metaKey || event.ctrlKey) !== withControl) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (!withControl && target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]')) return;
      const arrowKeyElements = `[role=tablist], [role=menu]${windsVideos ? ', video' : ''}`;
      if (event.key.startsWith('Arrow') && target.closest(arrowKeyElements)) return;
      const action = latestKeys.current.actions[event.key];
      if (!action || !latestKeys.current.when()) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [windsVideos, withControl]);
}

const alwaysTrue = () => true;

/** Whether the element is in the topmost dialog. Shortcuts of a dialog must not work while another dialog covers it. */
export const isInTopDialog = (element: HTMLElement | null): boolean =>
  [...document.querySelectorAll('[role=dialog]')].at(-1)?.contains(element) ?? false;
