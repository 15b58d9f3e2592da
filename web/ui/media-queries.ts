import { useSyncExternalStore } from 'react';

/** Whether a media query matches, updated on every change. The server cannot know and renders `onServer`. */
function useMediaQuery(mediaQuery: string, onServer: boolean) {
  return useSyncExternalStore(
    (listener) => {
      const list = matchMedia(mediaQuery);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    () => matchMedia(mediaQuery).matches,
    () => onServer,
  );
}

const lessMotion = '(prefers-reduced-motion: reduce)';
export const useReducedMotion = () => useMediaQuery(lessMotion, false);
/** Whether the window is wide enough for a table. */
export const useIsWideScreen = () => useMediaQuery('(min-width: 48rem)', true);
/**
 * The scroll behavior after a visitor's action: smooth, unless the visitor prefers reduced motion. Do not set smooth
 * scrolling in CSS for the whole page: it would also apply when the browser scrolls to the keyboard focus, and the page
 * would still move when the next key is pressed.
 */
export const preferredScrollBehavior = (): ScrollBehavior => (matchMedia(lessMotion).matches ? 'instant' : 'smooth');
