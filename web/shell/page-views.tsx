import { useEffect } from 'react';
import { send } from '../data/api.ts';

/** Count every path seen. `path`: one that opens something (a delivery link's) stands there without its token. */
export function PageViews({ path }: { path: string }) {
  useEffect(() => {
    const see = () => void count(path);
    /** Gone back to: the browser had kept it whole. */
    const seeAgain = (event: PageTransitionEvent) => event.persisted && see();
    see();
    addEventListener('pageshow', seeAgain);
    return () => removeEventListener('pageshow', seeAgain);
  }, [path]);
  return null;
}

async function count(path: string) {
  const { referrer } = document;
  // From which page of ours one came says nothing about where visits come from.
  const isForeign = referrer !== '' && !referrer.startsWith(`${location.origin}/`);
  try {
    await send('POST /api/page-views', {
      body: {
        pagePath: path.slice(0, 500),
        referrer: isForeign ? referrer.slice(0, 1000) : null,
        userAgent: navigator.userAgent.slice(0, 500),
      },
    });
  } catch (error) {
    console.log('Failed to track page view', error);
  }
}
