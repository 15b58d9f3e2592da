import { useEffect } from 'react';

/** After so long prices, days of arrival and who is signed in may be others. */
const freshMs = 60 * 60_000;

/**
 * A page that the browser kept whole and shows again, as after "back", a while later: it is loaded anew, unless something
 * was typed or chosen on it, which is worth more.
 */
export function KeptPage() {
  useEffect(() => {
    const shownAt = Date.now();
    let isTouched = false;
    const onInput = () => (isTouched = true);
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted && Date.now() - shownAt > freshMs && !isTouched) location.reload();
    };
    addEventListener('input', onInput, true); // first of all: React lets none pass of a part that is not awake yet
    addEventListener('pageshow', onShow);
    return () => {
      removeEventListener('input', onInput, true);
      removeEventListener('pageshow', onShow);
    };
  }, []);
  return null;
}
