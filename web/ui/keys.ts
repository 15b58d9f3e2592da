import { useEffect, useRef } from 'react';

/** Keys that a whole screen or an open dialog listens to. Whoever types, chooses or winds a video keeps their keys. */
export function useKeys(actions: Record<string, (() => void) | undefined>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target instanceof HTMLElement ? event.target : document.body;
      if (target.closest('input, textarea, select, [contenteditable]')) return;
      if (event.key.startsWith('Arrow') && target.closest('video, [role=tablist], [role=menu]')) return;
      latest.current[event.key]?.();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, []);
}
