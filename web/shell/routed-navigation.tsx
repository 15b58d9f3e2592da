import { useLocation, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useMemo } from 'react';
import { CurrentAddress, CurrentNavigation, type Navigation } from '../ui/navigation.tsx';

/** Around the pages that the router changes without a load. */
export function RoutedNavigation({ children }: { children: ReactNode }) {
  const router = useRouter();
  const pathname = useLocation({ select: (it) => it.pathname });
  const search = useLocation({ select: (it) => it.search }) as Record<string, unknown>;
  const address = useMemo(() => ({ pathname, search }), [pathname, search]);
  useEffect(
    () => router.subscribe('onRendered', ({ fromLocation, pathChanged }) => fromLocation && pathChanged && readOn()),
    [router],
  );
  const navigation = useMemo((): Navigation => {
    const go = (path: string) => void router.navigate({ href: path });
    return {
      go,
      // A click will tell what is wrong.
      inPlace: {
        open: go,
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
 * Nothing tells a screen reader of a page that came without a load. Where what had the focus is gone with the page before,
 * its heading takes it, and is read out; the next key goes on from there.
 */
function readOn(): void {
  if (document.activeElement !== document.body) return;
  const heading = document.querySelector<HTMLElement>('#content h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.classList.add('outline-none');
  heading.focus({ preventScroll: true });
}
