import { createContext, use } from 'react';

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
