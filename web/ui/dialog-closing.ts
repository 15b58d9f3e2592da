import { createContext } from 'react';

/** How the dialog around it closes. */
interface Closing {
  /** As its X and Escape do: where there is a question, that is put first. */
  ask: () => void;
  /** Without a question. */
  close: () => void;
  /** What puts the question; undefined where there is none any more. */
  askFirst: (question: (() => void) | undefined) => void;
}

/** Undefined outside of dialogs. */
export const DialogClosing = createContext<Closing | undefined>(undefined);
