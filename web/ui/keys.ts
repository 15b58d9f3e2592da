import { useEffect, useLayoutEffect, useRef } from 'react';

/**
 * Keys that a whole screen or an open dialog listens to. Whoever types or chooses keeps their keys, and a video keeps its
 * arrows, unless the screen says that turning to the next one matters more than winding.
 */
export function useKeys(
  actions: Record<string, (() => void) | undefined>,
  {
    windsVideos = true,
    withControl = false,
    when = always,
  }: {
    windsVideos?: boolean;
    /** With Ctrl, or ⌘: such keys are nobody's typing, so they are heard there as well. */
    withControl?: boolean;
    when?: () => boolean;
  } = {},
): void {
  const latest = useRef({ actions, when });
  // Before the screen shows them: a key pressed at what is seen must not act on what was there.
  useLayoutEffect(() => {
    latest.current = { actions, when };
  });
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || (event.metaKey || event.ctrlKey) !== withControl) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (!withControl && target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]')) return;
      const arrowsElsewhere = `[role=tablist], [role=menu]${windsVideos ? ', video' : ''}`;
      if (event.key.startsWith('Arrow') && target.closest(arrowsElsewhere)) return;
      const action = latest.current.actions[event.key];
      if (!action || !latest.current.when()) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [windsVideos, withControl]);
}

const always = () => true;

/** For keys of a dialog: whether none lies above it, asking something. */
export const isInTopDialog = (element: HTMLElement | null): boolean =>
  [...document.querySelectorAll('[role=dialog]')].at(-1)?.contains(element) ?? false;
