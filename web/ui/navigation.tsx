import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';
import { parseSearch, stringifySearch } from '../search.ts';

/** Where the visitor is. */
export interface Address {
  pathname: string;
  /** What it asks, each as it stands there or as the page's route has read it. */
  search: Readonly<Record<string, unknown>>;
}

/** The ways to another address. */
export interface Navigation {
  /** Pages change without a load, and what the next one needs can be had before: what does both, for links. */
  inPlace?: { open: (path: string) => void; prepare: (path: string) => void };
  /** Goes to a path of this site. */
  go: (path: string) => void;
  /** Writes into the address that is open, without a step to go back to; what is undefined is taken out of it. */
  changeSearch: (changes: Record<string, unknown>) => void;
}

export const CurrentAddress = createContext<Address | undefined>(undefined);
export const CurrentNavigation = createContext<Navigation | undefined>(undefined);

const given = <T,>(it: T | undefined): T => {
  if (it === undefined) throw new Error('Nothing says which address this is');
  return it;
};
export const useAddress = () => given(use(CurrentAddress));
export const useNavigation = () => given(use(CurrentNavigation));

/** Around a page that stands alone: the browser itself leads to every other one. */
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
    // Loaded anew on a step that the routed pages had made, this page is taken for all of their steps by the browser.
    const comeBack = () => location.pathname !== pathname && location.reload();
    addEventListener('popstate', comeBack);
    return () => removeEventListener('popstate', comeBack);
  }, []);
  return (
    <CurrentAddress value={current}>
      <CurrentNavigation value={navigation}>{children}</CurrentNavigation>
    </CurrentAddress>
  );
}
