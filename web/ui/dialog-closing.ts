import { createContext } from 'react';

/** Lets the content of a dialog close the dialog, or keep it open. */
interface DialogCloser {
  /** Closes the dialog as its X and Escape do: runs all `mayClose` functions first. */
  ask: () => void;
  /**
   * Adds a function that keeps the dialog open if it resolves to false. The functions run in order until one of them
   * resolves to false. Returns a function that removes the added function.
   */
  askFirst: (mayClose: () => Promise<boolean>) => () => void;
}

/** Undefined outside a dialog. */
export const DialogCloserContext = createContext<DialogCloser | undefined>(undefined);
