import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { isLeavingPanel } from '../leaves-panel.ts';
import { CurrentAddress, CurrentNavigation, type Navigation } from '../ui/navigation.tsx';

/** Wraps the pages between which the router navigates without a page load. */
export function RoutedNavigation({ children }: { children: ReactNode }) {
  const router = useRouter();
  const pathname = useLocation({ select: (it) => it.pathname });
  const search = useLocation({ select: (it) => it.search }) as Record<string, unknown>;
  const address = useMemo(() => ({ pathname, search }), [pathname, search]);
  useEffect(
    () =>
      router.subscribe(
        'onRendered',
        ({ fromLocation, pathChanged }) => fromLocation && pathChanged && focusPageHeading(),
      ),
    [router],
  );
  const navigation = useMemo((): Navigation => {
    const navigateTo = (path: string) => {
      if (isLeavingPanel(router.state.location.pathname, path)) window.location.assign(path);
      else void router.navigate({ href: path });
    };
    return {
      go: navigateTo,
      // Ignore a failed preload: the click loads the page again and shows the error.
      inPlace: {
        open: navigateTo,
        prepare: (path) => void router.preloadRoute({ href: path } as never).catch(() => undefined),
      },
      changeSearch: (changes) =>
        void router.navigate({
          to: '.',
          search: (before: object) => ({ ...before, ...changes }),
          hash: true,
          replace: true,
          resetScroll: false,
        } as never),
    };
  }, [router]);
  return (
    <CurrentAddress value={address}>
      <CurrentNavigation value={navigation}>{children}</CurrentNavigation>
    </CurrentAddress>
  );
}

/**
 * Screen readers do not announce a page that appears without a page load. If the focused element disappeared with the
 * previous page, move the focus to the new page's heading: it is read aloud, and the Tab key continues from there.
 */
function focusPageHeading(): void {
  if (document.activeElement !== document.body) return;
  const heading = document.querySelector<HTMLElement>('#content h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.classList.add('outline-none');
  heading.focus({ preventScroll: true });
}
