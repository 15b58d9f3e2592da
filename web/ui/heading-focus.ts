import { useEffect, useRef } from 'react';

/**
 * For content that replaces a longer page, for example a thank-you after a form. Scrolls to the top and focuses the
 * heading of the content, so that people see it and screen readers read the content from the start.
 */
export function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo({ top: 0, behavior: 'instant' });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
