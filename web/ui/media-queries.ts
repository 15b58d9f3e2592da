import { useSyncExternalStore } from 'react';

/** Whether a media query holds, followed live. The server does not know, and renders `onServer`. */
function useMediaQuery(mediaQuery: string, onServer: boolean) {
  return useSyncExternalStore(
    (tell) => {
      const list = matchMedia(mediaQuery);
      list.addEventListener('change', tell);
      return () => list.removeEventListener('change', tell);
    },
    () => matchMedia(mediaQuery).matches,
    () => onServer,
  );
}

const lessMotion = '(prefers-reduced-motion: reduce)';
export const useReducedMotion = () => useMediaQuery(lessMotion, false);
/** Room for a table. */
export const useWide = () => useMediaQuery('(min-width: 48rem)', true);
/**
 * How to scroll where somebody asked to go. Never a rule for the whole page: what the browser scrolls to by itself, with
 * the keyboard's focus, would still be moving when the next key is pressed.
 */
export const gently = (): ScrollBehavior => (matchMedia(lessMotion).matches ? 'instant' : 'smooth');
