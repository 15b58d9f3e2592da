import { createContext } from 'react';

/** How the dialog around it closes. */
interface Closing {
  /** As its X and Escape do: whoever has a question is asked first. */
  ask: () => void;
  /** `mayClose` is asked each time, in turn, until one says no; answers what takes it back. */
  askFirst: (mayClose: () => Promise<boolean>) => () => void;
}

/** Undefined outside of dialogs. */
export const DialogClosing = createContext<Closing | undefined>(undefined);
