import { useEffect } from 'react';
import { send } from '../data/api.ts';

/** Counts every page view. `path` must not contain a token, such as a delivery link's, because a token gives access. */
export function PageViews({ path }: { path: string }) {
  useEffect(() => {
    // From here on this component counts the view, and not the inline script of before-hydration.tsx.
    if (window.countOnLeaving) removeEventListener('pagehide', window.countOnLeaving);
    const countView = () => void countPageView(path);
    /** Also counts a view when the page comes out of the browser's back/forward cache. */
    const countViewIfRestored = (event: PageTransitionEvent) => event.persisted && countView();
    countView();
    addEventListener('pageshow', countViewIfRestored);
    return () => removeEventListener('pageshow', countViewIfRestored);
  }, [path]);
  return null;
}

async function countPageView(path: string) {
  const { referrer } = document;
  // Send only referrers of other sites. A referrer of this site does not show where a visit comes from.
  const isForeign = referrer !== '' && !referrer.startsWith(`${location.origin}/`);
  try {
    await send('POST /api/page-views', {
      body: {
        pagePath: path.slice(0, 500),
        referrer: isForeign ? referrer.slice(0, 1000) : null,
        userAgent: navigator.userAgent.slice(0, 500),
      },
      keepalive: true,
    });
  } catch (error) {
    console.log('Failed to track page view', error);
  }
}
