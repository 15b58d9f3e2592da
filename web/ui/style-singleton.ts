import { useEffect } from 'react';

/**
 * Replaces the package react-style-singleton (vite.config.ts), with which Radix prevents scrolling behind a dialog. The
 * package adds a style element, which our Content-Security-Policy refuses. A constructed stylesheet is allowed.
 */
export function stylesheetSingleton() {
  let userCount = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(css: string) {
      userCount += 1;
      if (userCount > 1) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    },
    remove() {
      userCount -= 1;
      if (userCount > 0) return;
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((it) => it !== sheet);
    },
  };
}

export function styleHookSingleton() {
  const sheet = stylesheetSingleton();
  return function useStyle(css: string, isDynamic?: boolean) {
    useEffect(() => {
      sheet.add(css);
      return () => sheet.remove();
      // As in react-style-singleton, styles that are not dynamic never change.
      // oxlint-disable-next-line react-hooks/exhaustive-deps
    }, [isDynamic && css]);
  };
}

export function styleSingleton() {
  const useStyle = styleHookSingleton();
  return function Sheet({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    useStyle(styles, dynamic);
    return null;
  };
}
