import { type ReactNode, useRef, useState } from 'react';
import { UnsavedChangesDialog } from './keep-or-discard.tsx';
import { NotesConflict } from './notes-conflict.tsx';
import type { FinishResult } from '../ui/leave-question.tsx';

export interface NotesChange {
  adminNotes: string;
  /** The notes when the edit began. */
  adminNotesBefore?: string;
}

interface Options {
  /** The saved notes. Undefined until they are loaded. */
  stored: string | undefined;
  /**
   * Saves notes and returns whether they are saved. Calls `onTheirs` with notes that someone else saved in the
   * meantime.
   */
  saveNotes: (change: NotesChange, onTheirs: (theirs: string) => void) => Promise<boolean>;
  /** Loads the notes again. */
  refetch: () => unknown;
}

/**
 * Notes that are saved when their field loses the focus. If someone else saved other notes in the meantime, the owner
 * chooses between the two texts.
 */
export function useNotes({ stored, saveNotes, refetch }: Options) {
  /** The unsaved text. Undefined if there are no unsaved changes. */
  const [typed, setTyped] = useState<string>();
  /** The saved notes when the edit began. */
  const notesAtEditStart = useRef<string>(undefined);
  const [theirs, setTheirs] = useState<string>();
  const [isSaved, setIsSaved] = useState(false);
  /** The latest unsaved text. A save that waits for an earlier save reads the text here when it starts. */
  const latestNotes = useRef<string>(undefined);
  const changeNotes = (next: string | undefined) => {
    latestNotes.current = next;
    setTyped(next);
  };
  const lastSave = useRef<Promise<unknown>>(Promise.resolve());
  /** Saves run one after the other. Otherwise a second save would conflict with the notes that the first one stores. */
  const save = (adminNotesBefore?: string): Promise<FinishResult> => {
    const queuedSave = lastSave.current.then(() => saveNow(adminNotesBefore));
    lastSave.current = queuedSave.catch(() => {});
    return queuedSave;
  };
  const saveNow = async (theirsSeen?: string): Promise<FinishResult> => {
    const adminNotes = latestNotes.current;
    if (adminNotes === undefined) return 'finished';
    const adminNotesBefore = theirsSeen ?? notesAtEditStart.current;
    const change = { adminNotes, ...(adminNotesBefore !== undefined && { adminNotesBefore }) };
    let end: FinishResult = 'unfinished';
    const showConflict = (noted: string) => {
      setTheirs(noted);
      end = 'asked';
    };
    if (adminNotes !== adminNotesBefore && !(await saveNotes(change, showConflict))) return end;
    setIsSaved(true);
    notesAtEditStart.current = adminNotes;
    setTheirs(undefined);
    // Text that was typed during the save stays unsaved.
    if (latestNotes.current === adminNotes) changeNotes(undefined);
    return 'finished';
  };
  /** Saves repeatedly, until text that is typed during a save is saved too. */
  const saveAll = async (): Promise<FinishResult> => {
    let end = await save();
    while (end === 'finished' && latestNotes.current !== undefined) end = await save();
    return end;
  };
  const notesDialogs: ReactNode = (
    <>
      <UnsavedChangesDialog isDirty={typed !== undefined} save={saveAll} onDiscard={() => changeNotes(undefined)} />
      {theirs !== undefined && typed !== undefined && (
        <NotesConflict
          mine={typed}
          theirs={theirs}
          onKeepMine={() => save(theirs)}
          onTakeTheirs={() => {
            changeNotes(undefined);
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
    /** Whether this field has saved notes, and nothing was typed after that. */
    isSaved: isSaved && typed === undefined,
    /** The props of the input field. */
    field: {
      value: typed ?? stored ?? '',
      onChange: (event: { currentTarget: { value: string } }) => {
        if (typed === undefined) notesAtEditStart.current = stored;
        changeNotes(event.currentTarget.value);
      },
      onBlur: () => void save(),
    },
    /** The two dialogs: the choice between conflicting notes, and the question before leaving unsaved notes. */
    questions: notesDialogs,
  };
}
