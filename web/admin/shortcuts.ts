import { useEffect, useRef } from 'react';

const offKey = 'adminShortcutsOff';

/** Single keys can be in the way of speech input and screen readers, so each browser may switch them off. */
export const shortcutsSwitch = {
  isOn: () => {
    try {
      return localStorage.getItem(offKey) === null;
    } catch {
      return true;
    }
  },
  set: (on: boolean) => {
    try {
      if (on) localStorage.removeItem(offKey);
      else localStorage.setItem(offKey, 'off');
    } catch {
      // Storage is switched off: the keys stay on.
    }
  },
};

/** Act on single keys, unless someone is typing, a dialog is open, or they are switched off. */
export function useShortcuts(actions: Record<string, (() => void) | undefined>): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const act = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const target = event.target as HTMLElement;
      const isTyping = target.closest('input, textarea, select, [contenteditable]') !== null;
      if ((isTyping && event.key !== 'Escape') || document.querySelector('[role=dialog]')) return;
      const action = latest.current[event.key];
      if (!action || !shortcutsSwitch.isOn()) return;
      event.preventDefault();
      if (isTyping) target.blur();
      else action();
    };
    document.addEventListener('keydown', act);
    return () => document.removeEventListener('keydown', act);
  }, []);
}
