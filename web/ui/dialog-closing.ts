import { createContext } from 'react';

/** How the dialog around it closes. */
interface Closing {
  /** As its X and Escape do: where there is a question, that is put first. */
  ask: () => void;
  /** Without a question. */
  close: () => void;
  /** Of several questions the last is put; answers what takes this one back. */
  askFirst: (question: () => void) => () => void;
}

/** Undefined outside of dialogs. */
export const DialogClosing = createContext<Closing | undefined>(undefined);
