import { useSyncExternalStore } from 'react';

/** Whether a media query matches, updated on every change. The server cannot know and renders `onServer`. */
function useMediaQuery(mediaQuery: string, onServer: boolean) {
  return useSyncExternalStore(
    (listener) => {
      const mediaQueryList = matchMedia(mediaQuery);
      mediaQueryList.addEventListener('change', listener);
      return () => mediaQueryList.removeEventListener('change', listener);
    },
    () => matchMedia(mediaQuery).matches,
    () => onServer,
  );
}

const reducedMotionQuery = '(prefers-reduced-motion: reduce)';
export const useReducedMotion = () => useMediaQuery(reducedMotionQuery, false);
/** Whether the window is wide enough for a table. */
export const useIsWideScreen = () => useMediaQuery('(min-width: 48rem)', true);
/**
 * The scroll behavior after a visitor's action: smooth, unless the visitor prefers reduced motion. Do not set smooth
 * scrolling in CSS for the whole page: it would also apply when the browser scrolls to the keyboard focus, and the page
 * would still move when the next key is pressed.
 */
export const preferredScrollBehavior = (): ScrollBehavior =>
  matchMedia(reducedMotionQuery).matches ? 'instant' : 'smooth';
