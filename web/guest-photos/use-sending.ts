import { useEffect, useRef, useState } from 'react';
import { canBePreviewed } from '../account/upload/file-checks.ts';
import { createSendingLine } from '../account/upload/sending-line.ts';
import { ApiError } from '../data/api.ts';
import { errorWords, isOffline } from '../data/error-words.ts';
import type { OnItsWay } from '../ui/photo-tile.tsx';

/** A photo on its way, or one that did not get there. Those that arrive leave this list. */
interface Sending extends OnItsWay {
  id: string;
}

interface How<Arrived> {
  /** However often it is sent under this key, it is taken once. */
  send: (file: File, key: string, on: { signal: AbortSignal; onProgress: (done: number) => void }) => Promise<Arrived>;
  onArrived: (arrived: Arrived) => void;
  /** Nothing is on its way any more; with the words of what failed first, if anything did. */
  onEnd: (problem: string | undefined) => void;
}

/** Send photos for somebody who has a link and no account, one request a photo, again by itself where the line breaks. */
export function useSending<Arrived>(how: How<Arrived>) {
  const current = useRef(how);
  current.current = how;
  const [list, setList] = useState<readonly Sending[]>([]);
  const files = useRef(new Map<string, { file: File; abort: AbortController }>());
  const problem = useRef<string>(undefined);
  const [line] = useState(() => createSendingLine<string>({ send: sendOne, pause, onGivenUp: giveUp, onEnd: settle }));

  const change = (id: string, state: Sending['state']) =>
    setList((now) => now.map((it) => (it.id === id ? { ...it, state } : it)));
  const drop = (id: string) => {
    files.current.delete(id);
    setList((now) => {
      const gone = now.find((it) => it.id === id);
      if (gone?.previewUrl) URL.revokeObjectURL(gone.previewUrl);
      return now.filter((it) => it.id !== id);
    });
  };

  useEffect(() => {
    const kept = files.current;
    return () => {
      for (const { abort } of kept.values()) abort.abort();
      kept.clear();
    };
  }, []);

  async function sendOne(id: string): Promise<'done' | 'lost'> {
    const kept = files.current.get(id);
    if (!kept) return 'done'; // cancelled
    const { file, abort } = kept;
    try {
      const onProgress = (progress: number) => change(id, { kind: 'sending', progress });
      const arrived = await current.current.send(file, id, { signal: abort.signal, onProgress });
      current.current.onArrived(arrived);
      drop(id);
    } catch (error) {
      if (abort.signal.aborted) return 'done';
      if (isLost(error)) {
        change(id, { kind: 'sending', progress: 0 });
        return 'lost';
      }
      fail(id, file, error);
    }
    return 'done';
  }
  function fail(id: string, file: File, error: unknown) {
    const words = errorWords(error, `Failed to upload ${file.name}`);
    change(id, { kind: 'failed', words });
    problem.current ??= words;
  }
  function giveUp(lost: string[]) {
    for (const id of lost) {
      const kept = files.current.get(id);
      if (kept) fail(id, kept.file, new TypeError('Failed to fetch'));
    }
  }
  function settle() {
    const words = problem.current;
    problem.current = undefined;
    current.current.onEnd(words);
  }

  return {
    list,
    isSending: list.some((it) => it.state.kind === 'sending'),
    add(chosen: readonly File[]) {
      const added = chosen.map((file) => {
        const id = crypto.randomUUID();
        files.current.set(id, { file, abort: new AbortController() });
        const previewUrl = canBePreviewed(file) ? URL.createObjectURL(file) : undefined;
        return { id, name: file.name, previewUrl, state: { kind: 'sending' as const, progress: 0 } };
      });
      setList((now) => [...now, ...added]);
      line.add(added.map((it) => it.id));
    },
    retry({ id }: Sending) {
      change(id, { kind: 'sending', progress: 0 });
      line.add([id]);
    },
    /** Stop one that is on its way, or forget one that failed. */
    cancel({ id }: Sending) {
      files.current.get(id)?.abort.abort();
      drop(id);
    },
  };
}
export type GuestSending = ReturnType<typeof useSending>;

/** The connection was cut or too slow, or many of one household send at once. */
const isLost = (error: unknown) =>
  isOffline(error) || (error instanceof ApiError && (error.status === 408 || error.code === 'too-many-requests'));

/** At least this long, and until the device itself says that it is connected. */
async function pause(ms: number) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}
