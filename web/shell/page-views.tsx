import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { send } from '../data/api.ts';

/** Count every path seen. Path parameters that open something (a delivery link's token) are never sent. */
export function PageViews() {
  const pagePath = useMatches({
    select: (matches) => {
      const last = matches.at(-1);
      return last && 'token' in last.params ? last.fullPath : (last?.pathname ?? '/');
    },
  });
  useEffect(() => {
    const referrer = document.referrer || null;
    send('POST /api/page-views', {
      body: {
        pagePath: pagePath.slice(0, 500),
        referrer: referrer && referrer.slice(0, 1000),
        userAgent: navigator.userAgent.slice(0, 500),
      },
    }).catch((error: unknown) => console.log('Failed to track page view', error));
  }, [pagePath]);
  return null;
}
