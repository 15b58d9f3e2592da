import { useLayoutEffect, useRef } from 'react';

/** Give the focus to `element` where what had it is gone from the page. */
export function takeLostFocus(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

/**
 * A button may go away with what it did: who goes by keyboard then stays where they were. Call `press` as it is
 * pressed; as soon as `change` is another value, `target` takes the focus if it was lost.
 */
export function useLostFocus<T extends HTMLElement>(change: unknown) {
  const target = useRef<T>(null);
  const before = useRef(change);
  const isPressed = useRef(false);
  // Before a dialog sees that its focus is lost, and takes it itself.
  useLayoutEffect(() => {
    if (before.current === change) return;
    before.current = change;
    if (isPressed.current) takeLostFocus(target.current);
    isPressed.current = false;
  });
  return {
    target,
    press: () => {
      isPressed.current = true;
    },
  };
}
