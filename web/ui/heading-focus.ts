import { useEffect, useRef } from 'react';

/** For the heading of what takes a longer page's place, as thanks do a form's: it is seen, and read, from its top. */
export function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: 'instant' });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
