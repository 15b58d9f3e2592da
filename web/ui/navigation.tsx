import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { parseSearch, stringifySearch } from '../search.ts';

/** The current address. */
export interface Address {
  pathname: string;
  /** The search params: raw text on public pages, values that the route has validated on other pages. */
  search: Readonly<Record<string, unknown>>;
}

/** Functions that change the address. */
export interface Navigation {
  /** For links on routed pages: opens a page without a page load, and preloads it. Undefined on public pages. */
  inPlace?: { open: (path: string) => void; prepare: (path: string) => void };
  /** Navigates to a path of this site. */
  go: (path: string) => void;
  /** Changes search params of the current address without a new history entry. Undefined removes a param. */
  changeSearch: (changes: Record<string, unknown>) => void;
}

export const CurrentAddress = createContext<Address | undefined>(undefined);
export const CurrentNavigation = createContext<Navigation | undefined>(undefined);

const requireContext = <T,>(it: T | undefined): T => {
  if (it === undefined) throw new Error('Nothing says which address this is');
  return it;
};
export const useAddress = () => requireContext(use(CurrentAddress));
export const useNavigation = () => requireContext(use(CurrentNavigation));

/** Provides address and navigation to a public page, which has no router. Every navigation is a page load. */
export function PlainNavigation({ address, children }: { address: Address; children: ReactNode }) {
  const [current, setCurrent] = useState(address);
  const navigation = useMemo(
    (): Navigation => ({
      go: (path) => location.assign(path),
      changeSearch(changes) {
        const search = stringifySearch({ ...parseSearch(location.search), ...changes });
        history.replaceState(history.state, '', location.pathname + search + location.hash);
        setCurrent((before) => ({ ...before, search: parseSearch(search) }));
      },
    }),
    [],
  );
  useEffect(() => {
    const { pathname } = location;
    // The router may have added history entries before this page was opened and reloaded. For these entries the browser
    // keeps this document and does not load their pages. So reload when the path differs.
    const reloadIfMoved = () => location.pathname !== pathname && location.reload();
    addEventListener('popstate', reloadIfMoved);
    return () => removeEventListener('popstate', reloadIfMoved);
  }, []);
  return (
    <CurrentAddress value={current}>
      <CurrentNavigation value={navigation}>{children}</CurrentNavigation>
    </CurrentAddress>
  );
}
