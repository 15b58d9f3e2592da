import { type ReactNode, useRef, useState } from 'react';
import { KeepOrDiscard } from './keep-or-discard.tsx';
import { NotesConflict } from './notes-conflict.tsx';
import type { Finish } from '../ui/leave-question.tsx';

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
  /** What is typed, for a save that waits for the one before. */
  const latest = useRef<string>(undefined);
  const note = (next: string | undefined) => {
    latest.current = next;
    setTyped(next);
  };
  const underWay = useRef<Promise<unknown>>(Promise.resolve());
  /** One after the other: what is sent next is no change of what the last one is about to keep. */
  const save = (adminNotesBefore?: string): Promise<Finish> => {
    const saved = underWay.current.then(() => saveNow(adminNotesBefore));
    underWay.current = saved.catch(() => {});
    return saved;
  };
  const saveNow = async (theirsSeen?: string): Promise<Finish> => {
    const adminNotes = latest.current;
    if (adminNotes === undefined) return 'finished';
    const adminNotesBefore = theirsSeen ?? before.current;
    const change = { adminNotes, ...(adminNotesBefore !== undefined && { adminNotesBefore }) };
    let end: Finish = 'unfinished';
    const ask = (noted: string) => {
      setTheirs(noted);
      end = 'asked';
    };
    if (adminNotes !== adminNotesBefore && !(await keep(change, ask))) return end;
    before.current = adminNotes;
    setTheirs(undefined);
    // What was typed meanwhile is not kept yet.
    if (latest.current === adminNotes) note(undefined);
    return 'finished';
  };
  /** What is typed while the rest is being kept, too. */
  const saveAll = async (): Promise<Finish> => {
    let end = await save();
    while (end === 'finished' && latest.current !== undefined) end = await save();
    return end;
  };
  const questions: ReactNode = (
    <>
      <KeepOrDiscard isDirty={typed !== undefined} save={saveAll} onDiscard={() => note(undefined)} />
      {theirs !== undefined && typed !== undefined && (
        <NotesConflict
          mine={typed}
          theirs={theirs}
          onKeepMine={() => save(theirs)}
          onTakeTheirs={() => {
            note(undefined);
            setTheirs(undefined);
            void refetch();
          }}
          onClose={() => setTheirs(undefined)}
        />
      )}
    </>
  );
  return {
    isUnsaved: typed !== undefined,
    /** Of the field they are written in. */
    field: {
      value: typed ?? kept ?? '',
      onChange: (event: { currentTarget: { value: string } }) => {
        if (typed === undefined) before.current = kept;
        note(event.currentTarget.value);
      },
      onBlur: () => void save(),
    },
    /** Where two have noted at once, both, to choose from; and whether to leave what could not be kept. */
    questions,
  };
}
