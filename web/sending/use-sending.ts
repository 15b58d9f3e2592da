import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../data/api.ts';
import { errorWords } from '../data/error-words.ts';
import { forgetPieces, loadSending, sendInPieces } from '../data/send-in-pieces.ts';
import type { OnItsWay } from '../ui/photo-tile.tsx';
import { forgetFile, forgetFilesTo, keepFile, keptFiles, type KeptFile, type Sender } from './kept-files.ts';
import { isForGood, lossOf } from './loss.ts';
import { inOneTab } from './one-tab.ts';
import { createSendingLine, type Loss } from './sending-line.ts';

type Named = Pick<Sending, 'id' | 'frameId' | 'name'>;

/** A photo on its way, or one that did not get there. Those that arrive are the frame's and leave this list. */
export interface Sending extends OnItsWay {
  id: string;
  frameId: string | undefined;
}

export interface Failure {
  name: string;
  error: unknown;
}

interface How<Arrived> {
  sender: Sender;
  /** Where photos in pieces are announced. */
  endpoint: string;
  /** Whether what was left half sent may go on. */
  mayStillGo: (frameId: string | undefined) => boolean;
  onArrived: (arrived: Arrived, frameId: string | undefined) => void;
  /** Nothing is on its way any more; with what failed. */
  onEnd: (failed: Failure[]) => void;
}

const connectionWords = 'Please check your internet connection and try again.';

/** What it takes to send one, again if need be. */
interface Kept {
  it: KeptFile;
  abort: AbortController;
  /** What the last try that was lost met. */
  loss?: unknown;
}

/** Send photos in pieces, several at once, as far as the connection lets us; what was half sent before a reload goes on. */
export function useSending<Arrived>(how: How<Arrived>) {
  const current = useRef(how);
  current.current = how;
  const { sender } = how;
  const [list, setList] = useState<readonly Sending[]>([]);
  const files = useRef(new Map<string, Kept>());
  const failures = useRef<Failure[]>([]);
  const visit = useRef<{ signal: AbortSignal; isInTurn: boolean }>(undefined);
  const [line] = useState(() => createSendingLine<Named>({ send: sendOne, pause, onGivenUp: giveUp, onEnd: settle }));

  const change = (id: string, state: Sending['state']) =>
    setList((now) => now.map((it) => (it.id === id ? { ...it, state } : it)));
  const drop = (id: string) => {
    files.current.delete(id);
    void forgetFile(id);
    setList((now) => {
      const gone = now.find((it) => it.id === id);
      if (gone) URL.revokeObjectURL(gone.previewUrl);
      return now.filter((it) => it.id !== id);
    });
  };

  /** Leaving the page stops what is still on its way; whoever comes back finds it going on. */
  useEffect(() => {
    void loadSending().catch(() => {}); // asked for again with the first photo
    const kept = files.current;
    const leaving = new AbortController();
    const { signal } = leaving;
    visit.current = { signal, isInTurn: false };
    // Another tab may be sending the very same files: what it leaves is taken up after it.
    holdTurn(async () => {
      const waiting = await keptFiles(sender, (frameId) => current.current.mayStillGo(frameId));
      if (!signal.aborted) take(waiting.filter(({ key }) => !kept.has(key)));
    });
    return () => {
      leaving.abort();
      for (const { abort } of kept.values()) abort.abort();
      kept.clear();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, on arrival
  }, []);

  /** Other tabs wait until the line has ended; what is chosen in one of them goes at once all the same. */
  function holdTurn(first = async () => {}) {
    const now = visit.current;
    if (!now || now.isInTurn) return;
    now.isInTurn = true;
    void inOneTab(sender.id, now.signal, async () => {
      await first();
      await line.ended();
      now.isInTurn = false;
    });
  }

  function take(chosen: readonly KeptFile[]) {
    const added = chosen.map((kept) => {
      const it = { ...kept, lastAt: Date.now() };
      files.current.set(it.key, { it, abort: new AbortController() });
      void keepFile(it);
      return {
        id: kept.key,
        frameId: kept.frameId,
        name: kept.file.name,
        file: kept.file,
        previewUrl: URL.createObjectURL(kept.file),
        state: { kind: 'sending' as const, progress: 0, isWaiting: true },
      };
    });
    if (added.length === 0) return;
    setList((now) => [...now, ...added]);
    line.add(added);
  }

  async function sendOne({ id, frameId, name }: Named): Promise<'done' | Loss> {
    const kept = files.current.get(id);
    if (!kept) return 'done'; // cancelled
    const { abort } = kept;
    const { file, key, address, chosen } = kept.it;
    try {
      const arrived = await sendInPieces<Arrived>({
        endpoint: current.current.endpoint,
        file,
        metadata: {
          ...(frameId !== undefined && { deviceId: frameId }),
          filename: name,
          key,
          ...(chosen && { selection: chosen.selection, place: String(chosen.place) }),
        },
        address,
        onAddress: (told) => {
          kept.it = { ...kept.it, address: told };
          void keepFile(kept.it);
        },
        signal: abort.signal,
        onProgress: (progress) => change(id, { kind: 'sending', progress }),
      });
      if (arrived) current.current.onArrived(arrived, frameId);
      drop(id);
    } catch (error) {
      if (abort.signal.aborted) return 'done';
      const loss = lossOf(error);
      if (loss) {
        kept.loss = error;
        setList((now) =>
          now.map((it) =>
            it.id === id && it.state.kind === 'sending' ? { ...it, state: { ...it.state, isWaiting: true } } : it,
          ),
        );
        return loss;
      }
      fail({ id, name }, error);
    }
    return 'done';
  }

  function fail({ id, name }: Pick<Sending, 'id' | 'name'>, error: unknown) {
    const isUnusable = isForGood(error);
    change(id, { kind: 'failed', words: errorWords(error, `Failed to upload ${name}`), isUnusable });
    failures.current.push({ name, error });
    // The next visit would only hear the same no.
    if (isUnusable) void forgetFile(id);
  }
  function giveUp(lost: Named[]) {
    const [first] = lost;
    const why = (first && files.current.get(first.id)?.loss) ?? new TypeError('Failed to fetch');
    for (const item of lost) if (files.current.has(item.id)) fail(item, why);
  }

  function settle() {
    current.current.onEnd(failures.current.splice(0));
  }

  return {
    list,
    /** The files on their way to a frame; of guests, who send to none, all. */
    filesTo: (frameId?: string) =>
      [...files.current.values()].filter(({ it }) => it.frameId === frameId).map(({ it }) => it.file),
    add(chosen: readonly File[], frameId?: string) {
      const now = Date.now();
      const selection = crypto.randomUUID();
      take(
        chosen.map((file, index) => ({
          sender,
          frameId,
          file,
          key: crypto.randomUUID(),
          chosen: { selection, place: index },
          address: undefined,
          chosenAt: now + index,
          lastAt: now,
        })),
      );
      holdTurn();
    },
    retry(items: readonly Sending[]) {
      for (const { id } of items) {
        change(id, { kind: 'sending', progress: 0, isWaiting: true });
        const kept = files.current.get(id);
        if (kept) void keepFile(kept.it);
      }
      line.add(items);
      holdTurn();
    },
    /** Stop one that is on its way, or forget one that failed. */
    cancel({ id }: Sending) {
      const kept = files.current.get(id);
      kept?.abort.abort();
      if (kept?.it.address) void forgetPieces(kept.it.address);
      drop(id);
    },
    /** The frame is locked without those that did not arrive. */
    leaveOut(frameId: string) {
      for (const [id, { it }] of files.current) if (it.frameId === frameId) drop(id);
      void forgetFilesTo(frameId);
    },
  };
}

/** One that did not arrive, and may if it is sent again. */
export const canRetry = ({ state }: Sending) => state.kind === 'failed' && !state.isUnusable;
/** Of those on their way, together: 0 to 1. */
export const overallProgress = (sending: readonly Sending[]): number =>
  sending.reduce((sum, { state }) => sum + (state.kind === 'sending' ? state.progress : 0), 0) /
  Math.max(1, sending.length);

export type Uploads = ReturnType<typeof useSending>;

/** At least this long, and until the device itself says that it is connected. */
async function pause(ms: number) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

/** The specified words; a photo the shop refused for what it is needs no better connection. Undefined where none failed. */
export function failureWords(failed: readonly Failure[]): string | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const { name, error } = first;
  const isRefused = error instanceof ApiError && error.status < 500;
  const words = error instanceof ApiError ? errorWords(error, `Failed to upload ${name}`) : `Failed to upload ${name}`;
  const rest = failed.length > 1 ? ` ${failed.length} photos did not arrive.` : '';
  return `${words.replace(/[^.!?]$/, '$&.')}${rest}${isRefused ? '' : ` ${connectionWords}`}`;
}
