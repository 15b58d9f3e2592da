import { type ReactNode, useRef, useState } from 'react';
import { NotesConflict } from './notes-conflict.tsx';

export interface NotesChange {
  adminNotes: string;
  /** What they were when their edit began. */
  adminNotesBefore?: string;
}

interface Options {
  /** As the shop has them; undefined until it has answered. */
  kept: string | undefined;
  /** Answers whether the shop has kept the change; what somebody else has noted meanwhile goes to `onTheirs`. */
  keep: (change: NotesChange, onTheirs: (theirs: string) => void) => Promise<boolean>;
  /** Ask the shop for them anew. */
  refetch: () => unknown;
}

/** Notes that are kept when their field is left; what somebody else has noted meanwhile is put to choice. */
export function useNotes({ kept, keep, refetch }: Options) {
  /** Undefined where the notes are as they are kept. */
  const [typed, setTyped] = useState<string>();
  /** What they were when somebody began to write here. */
  const before = useRef<string>(undefined);
  const [theirs, setTheirs] = useState<string>();
  /** Answers whether nothing is left to be kept. */
  const save = async (adminNotesBefore = before.current): Promise<boolean> => {
    if (typed === undefined || kept === undefined) return true;
    const change = { adminNotes: typed, ...(adminNotesBefore !== undefined && { adminNotesBefore }) };
    const isKept = typed === kept || (await keep(change, setTheirs));
    if (!isKept) return false;
    before.current = typed;
    setTheirs(undefined);
    // What was typed meanwhile is not kept yet.
    setTyped((now) => (now === typed ? undefined : now));
    return true;
  };
  const conflict: ReactNode = theirs !== undefined && typed !== undefined && (
    <NotesConflict
      mine={typed}
      theirs={theirs}
      onKeepMine={() => save(theirs)}
      onTakeTheirs={() => {
        setTyped(undefined);
        setTheirs(undefined);
        void refetch();
      }}
      onClose={() => setTheirs(undefined)}
    />
  );
  return {
    isUnsaved: typed !== undefined,
    save,
    /** Of the field they are written in. */
    field: {
      value: typed ?? kept ?? '',
      onChange: (event: { currentTarget: { value: string } }) => {
        if (typed === undefined) before.current = kept;
        setTyped(event.currentTarget.value);
      },
      onBlur: () => void save(),
    },
    /** Where two have noted at once: both, to choose from. */
    conflict,
  };
}
