import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../data/api.ts';
import { errorWords, isOffline } from '../../data/error-words.ts';
import { upload } from '../../data/upload.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { canBePreviewed } from './file-checks.ts';
import { withUpload } from './limits-cache.ts';
import { createSendingLine } from './sending-line.ts';

type Named = Pick<Sending, 'id' | 'frameId' | 'name'>;

/** A photo on its way, or one that did not get there. Those that arrive are the frame's and leave this list. */
export interface Sending {
  id: string;
  frameId: string;
  name: string;
  /** Undefined where browsers cannot draw the file. */
  previewUrl: string | undefined;
  state: { kind: 'sending'; progress: number } | { kind: 'failed'; words: string };
}

const connectionWords = 'Please check your internet connection and try again.';

/** What it takes to send one, again if need be. The key stays the same: however often it comes, the frame takes it once. */
interface Kept {
  file: File;
  key: string;
  abort: AbortController;
}

/** Send photos, one request a file and all at once, as far as the connection lets us. */
export function useUploads() {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const [list, setList] = useState<readonly Sending[]>([]);
  const files = useRef(new Map<string, Kept>());
  const nextId = useRef(1);
  const failures = useRef<{ name: string; error: unknown }[]>([]);
  const [line] = useState(() => createSendingLine<Named>({ send: sendOne, pause, onGivenUp: giveUp, onEnd: settle }));

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

  /** Leaving the page ends what is still on its way; whoever leaves has been asked. */
  useEffect(() => {
    const kept = files.current;
    return () => {
      for (const { abort } of kept.values()) abort.abort();
      kept.clear();
    };
  }, []);

  async function sendOne({ id, frameId, name }: Named): Promise<'done' | 'lost'> {
    const kept = files.current.get(id);
    if (!kept) return 'done'; // cancelled
    const { file, key, abort } = kept;
    const form = new FormData();
    form.set('deviceId', frameId);
    form.set('key', key);
    form.set('image', file);
    try {
      const arrived = await upload('POST /api/upload', form, {
        signal: abort.signal,
        onProgress: (progress) => change(id, { kind: 'sending', progress }),
      });
      queryClient.setQueryData(limitsQuery().queryKey, (limits) => limits && withUpload(limits, frameId, arrived));
      drop(id);
    } catch (error) {
      if (abort.signal.aborted) return 'done';
      if (isLost(error)) {
        change(id, { kind: 'sending', progress: 0 });
        return 'lost';
      }
      fail({ id, name }, error);
    }
    return 'done';
  }

  function fail({ id, name }: Pick<Sending, 'id' | 'name'>, error: unknown) {
    change(id, { kind: 'failed', words: errorWords(error, `Failed to upload ${name}`) });
    failures.current.push({ name, error });
  }
  function giveUp(lost: Named[]) {
    for (const item of lost) if (files.current.has(item.id)) fail(item, new TypeError('Failed to fetch'));
  }

  /** All that was on its way has ended: ask the shop for the truth, and say what failed. */
  function settle() {
    void queryClient.invalidateQueries({ queryKey: limitsQuery().queryKey });
    const failed = failures.current.splice(0);
    const [first] = failed;
    if (first) toast({ title: 'Upload failed', description: failureWords(first, failed.length), destructive: true });
    for (const { error } of failed) noteEnd(error);
  }

  return {
    list,
    add(frameId: string, chosen: readonly File[]) {
      const added = chosen.map((file) => {
        const id = `sending-${nextId.current++}`;
        files.current.set(id, { file, key: crypto.randomUUID(), abort: new AbortController() });
        return {
          id,
          frameId,
          name: file.name,
          previewUrl: canBePreviewed(file) ? URL.createObjectURL(file) : undefined,
          state: { kind: 'sending' as const, progress: 0 },
        };
      });
      setList((now) => [...now, ...added]);
      line.add(added);
    },
    retry(items: readonly Sending[]) {
      for (const { id } of items) change(id, { kind: 'sending', progress: 0 });
      line.add(items);
    },
    /** Stop one that is on its way, or forget one that failed. */
    cancel({ id }: Sending) {
      files.current.get(id)?.abort.abort();
      drop(id);
    },
  };
}
export type Uploads = ReturnType<typeof useUploads>;

/** The connection was cut, or too slow for the time a request has. */
const isLost = (error: unknown) => isOffline(error) || (error instanceof ApiError && error.status === 408);

/** At least this long, and until the device itself says that it is connected. */
async function pause(ms: number) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

/** The specified words; a photo the shop refused for what it is needs no better connection. */
function failureWords({ name, error }: { name: string; error: unknown }, count: number): string {
  const isRefused = error instanceof ApiError && error.status < 500;
  const words = error instanceof ApiError ? errorWords(error, `Failed to upload ${name}`) : `Failed to upload ${name}`;
  const rest = count > 1 ? ` ${count} photos did not arrive.` : '';
  return `${words.replace(/[^.!?]$/, '$&.')}${rest}${isRefused ? '' : ` ${connectionWords}`}`;
}
