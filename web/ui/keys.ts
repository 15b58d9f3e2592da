import { useEffect, useRef } from 'react';

/**
 * Keys that a whole screen or an open dialog listens to. Whoever types or chooses keeps their keys, and a video keeps its
 * arrows, unless the screen says that turning to the next one matters more than winding.
 */
export function useKeys(
  actions: Record<string, (() => void) | undefined>,
  { windsVideos = true }: { windsVideos?: boolean } = {},
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (target.closest('input, textarea, select, [contenteditable]')) return;
      const arrowsElsewhere = `[role=tablist], [role=menu]${windsVideos ? ', video' : ''}`;
      if (event.key.startsWith('Arrow') && target.closest(arrowsElsewhere)) return;
      const action = latest.current[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, [windsVideos]);
}
