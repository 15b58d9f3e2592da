import { useLayoutEffect, useRef } from 'react';

/** Focuses `element` if the focused element was removed from the page. */
export function focusIfFocusLost(element: HTMLElement | null): void {
  if (document.activeElement === document.body) element?.focus({ preventScroll: true });
}

/**
 * For a button that disappears when it is pressed. Call `press` when it is pressed. When `change` then gets another
 * value and the focus is lost, the hook focuses `target`, so that keyboard users keep their place.
 */
export function useLostFocus<T extends HTMLElement>(change: unknown) {
  const target = useRef<T>(null);
  const previousChange = useRef(change);
  const isPressed = useRef(false);
  // Use a layout effect: it runs before a dialog notices that the focus is lost and focuses itself.
  useLayoutEffect(() => {
    if (previousChange.current === change) return;
    previousChange.current = change;
    if (isPressed.current) focusIfFocusLost(target.current);
    isPressed.current = false;
  });
  return {
    target,
    press: () => {
      isPressed.current = true;
    },
  };
}
