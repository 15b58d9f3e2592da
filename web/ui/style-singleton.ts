import { useEffect } from 'react';

/**
 * Stands in for the package react-style-singleton (vite.config.ts), through which Radix locks the scroll behind a
 * dialog. The original writes a style element, which our Content-Security-Policy refuses; a constructed sheet is ours.
 */
export function stylesheetSingleton() {
  let users = 0;
  let sheet: CSSStyleSheet | undefined;
  return {
    add(css: string) {
      users += 1;
      if (users > 1) return;
      sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
    },
    remove() {
      users -= 1;
      if (users > 0) return;
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
      // As the original: static styles stay as first given.
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
