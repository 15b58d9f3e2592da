import { useState } from 'react';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/surfaces.tsx';
import { findDuplicates, type Here } from './duplicates.ts';

interface Chooses {
  /** What is here as the files are chosen. */
  here: () => Here;
  /** Takes those that are new, and those that are to come once more. */
  onFiles: (files: readonly File[]) => void;
}

/** Chosen files go on at once, but for those that are here already: whether these come again is asked. */
export function useHereAlready({ here, onFiles }: Chooses) {
  const [twice, setTwice] = useState<readonly File[]>([]);
  return {
    twice,
    async take(chosen: readonly File[]) {
      const duplicates = await findDuplicates(chosen, here()).catch(() => new Set<File>()); // a file that cannot be read is refused when it is sent
      setTwice([...duplicates]);
      const fresh = chosen.filter((it) => !duplicates.has(it));
      if (fresh.length > 0) onFiles(fresh);
    },
    skip: () => setTwice([]),
    addAgain(room: number) {
      onFiles(twice.slice(0, room));
      setTwice([]);
    },
  };
}

interface Props extends Pick<ReturnType<typeof useHereAlready>, 'twice' | 'skip' | 'addAgain'> {
  room: number;
}

/** Asks about the photos that are here already; nothing where there are none. */
export function HereAlready({ twice, skip, addAgain, room }: Props) {
  if (twice.length === 0) return null;
  const isOne = twice.length === 1;
  return (
    <div ref={intoView}>
      <Notice
        tone="warn"
        className="mt-4 text-left"
        title={isOne ? 'This photo is here already' : 'These photos are here already'}
      >
        <p className="break-words">{twice.map((it) => it.name).join(', ')}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button size="small" onClick={skip}>
            Skip {isOne ? 'it' : 'them'}
          </Button>
          <Button size="small" look="secondary" onClick={() => addAgain(room)}>
            Add again
          </Button>
        </div>
      </Notice>
    </div>
  );
}

const intoView = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'center' });
