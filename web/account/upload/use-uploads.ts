import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../data/api.ts';
import { errorWords } from '../../data/error-words.ts';
import { upload } from '../../data/upload.ts';
import { toast } from '../../ui/toast.ts';
import { useSessionEnd } from '../customer.ts';
import { limitsQuery } from '../limits-query.ts';
import { canBePreviewed } from './file-checks.ts';
import { withUpload } from './limits-cache.ts';

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

/** Send photos, one request a file and all at once; the browser itself lets only so many run. */
export function useUploads() {
  const queryClient = useQueryClient();
  const noteEnd = useSessionEnd();
  const [list, setList] = useState<readonly Sending[]>([]);
  const files = useRef(new Map<string, { file: File; abort: AbortController }>());
  const running = useRef(0);
  const nextId = useRef(1);
  const failures = useRef<{ name: string; error: unknown }[]>([]);

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
    };
  }, []);

  async function run({ id, frameId, name }: Pick<Sending, 'id' | 'frameId' | 'name'>, file: File) {
    const abort = new AbortController();
    files.current.set(id, { file, abort });
    running.current += 1;
    const form = new FormData();
    form.set('deviceId', frameId);
    form.set('image', file);
    try {
      const arrived = await upload('POST /api/upload', form, {
        signal: abort.signal,
        onProgress: (progress) => change(id, { kind: 'sending', progress }),
      });
      queryClient.setQueryData(limitsQuery().queryKey, (limits) => limits && withUpload(limits, frameId, arrived));
      drop(id);
    } catch (error) {
      if (abort.signal.aborted) drop(id);
      else {
        change(id, { kind: 'failed', words: errorWords(error, `Failed to upload ${name}`) });
        failures.current.push({ name, error });
      }
    } finally {
      running.current -= 1;
      if (running.current === 0) settle();
    }
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
      const added = chosen.map((file) => ({
        id: `sending-${nextId.current++}`,
        frameId,
        name: file.name,
        previewUrl: canBePreviewed(file) ? URL.createObjectURL(file) : undefined,
        state: { kind: 'sending' as const, progress: 0 },
      }));
      setList((now) => [...now, ...added]);
      for (const [index, it] of added.entries()) void run(it, chosen[index]!);
    },
    retry(item: Sending) {
      const known = files.current.get(item.id);
      if (!known) return;
      change(item.id, { kind: 'sending', progress: 0 });
      void run(item, known.file);
    },
    /** Stop one that is on its way, or forget one that failed. */
    cancel({ id, state }: Sending) {
      if (state.kind === 'sending') files.current.get(id)?.abort.abort();
      else drop(id);
    },
  };
}
export type Uploads = ReturnType<typeof useUploads>;

/** The specified words; a photo the shop refused for what it is needs no better connection. */
function failureWords({ name, error }: { name: string; error: unknown }, count: number): string {
  const isRefused = error instanceof ApiError && error.status < 500;
  const words = error instanceof ApiError ? errorWords(error, `Failed to upload ${name}`) : `Failed to upload ${name}`;
  const rest = count > 1 ? ` ${count} photos did not arrive.` : '';
  return `${words.replace(/[^.!?]$/, '$&.')}${rest}${isRefused ? '' : ` ${connectionWords}`}`;
}
