import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/surfaces.tsx';
import { findDuplicates, type KnownPhotos } from './duplicates.ts';

interface DuplicatesOptions {
  /** Called when files are chosen, to find duplicates. Returns the uploaded photos and the files that are uploading. */
  here: () => KnownPhotos;
  /** Receives the new files, and the duplicates that the person wants to add again. */
  onFiles: (files: readonly File[]) => void;
}

/** Sends new files at once. For duplicates, the page asks first whether to add them again. */
export function useDuplicatesQuestion({ here, onFiles }: DuplicatesOptions) {
  const [twice, setTwice] = useState<readonly File[]>([]);
  return {
    twice,
    async checkAndAdd(chosen: readonly File[]) {
      // an unreadable file is refused later, when it is sent
      const duplicates = await findDuplicates(chosen, here()).catch(() => new Set<File>());
      setTwice([...duplicates]);
      const newFiles = chosen.filter((it) => !duplicates.has(it));
      if (newFiles.length > 0) onFiles(newFiles);
    },
    skip: () => setTwice([]),
    addAgain(room: number) {
      onFiles(twice.slice(0, room));
      setTwice([]);
    },
  };
}

interface Props extends Pick<ReturnType<typeof useDuplicatesQuestion>, 'twice' | 'skip' | 'addAgain'> {
  room: number;
}

/** Asks whether to add the duplicates again. Renders nothing if there are none. */
export function DuplicatesQuestion({ twice, skip, addAgain, room }: Props) {
  if (twice.length === 0) return null;
  const isSinglePhoto = twice.length === 1;
  return (
    <div ref={scrollIntoView}>
      <Notice
        tone="warn"
        className="mt-4 text-left"
        title={isSinglePhoto ? 'You already added this photo' : 'You already added these photos'}
      >
        <p className="break-words">{twice.map((it) => it.name).join(', ')}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button size="small" onClick={skip}>
            Skip {isSinglePhoto ? 'it' : 'them'}
          </Button>
          <Button size="small" look="secondary" onClick={() => addAgain(room)}>
            Add again
          </Button>
        </div>
      </Notice>
    </div>
  );
}

const scrollIntoView = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'center' });
