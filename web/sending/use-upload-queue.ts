import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../data/api.ts';
import { errorText } from '../data/error-text.ts';
import { deleteSentPieces, loadTus, sendInPieces } from '../data/send-in-pieces.ts';
import type { UploadingTile } from '../ui/photo-tile.tsx';
import {
  deleteStoredFile,
  deleteStoredFilesOfFrame,
  storeFile,
  readStoredFiles,
  type StoredFile,
  type Sender,
} from './stored-files.ts';
import { isFinalRefusal, retryReasonOf } from './retry-reason.ts';
import { runInOneTab } from './in-one-tab.ts';
import { createUploadQueue, type RetryReason } from './upload-queue.ts';

type NamedUpload = Pick<OngoingUpload, 'id' | 'frameId' | 'name'>;

/** A photo that is uploading or has failed. Once a photo has arrived, it is removed from the list. */
export interface OngoingUpload extends UploadingTile {
  id: string;
  frameId: string | undefined;
}

export interface UploadFailure {
  name: string;
  error: unknown;
}

interface UploadOptions<Arrived> {
  sender: Sender;
  /** The URL that creates an upload in pieces. */
  endpoint: string;
  /** Returns whether an unfinished upload to this frame may continue. */
  mayStillGo: (frameId: string | undefined) => boolean;
  onArrived: (arrived: Arrived, frameId: string | undefined) => void;
  /** Called when nothing is being sent anymore, with the failed photos. */
  onEnd: (failed: UploadFailure[]) => void;
}

const connectionText = 'Please check your internet connection and try again.';

/** Everything needed to send a photo, and to retry it. */
interface QueuedFile {
  it: StoredFile;
  abort: AbortController;
  /** The error of the last attempt that failed temporarily. */
  loss?: unknown;
}

/** Sends photos in pieces, several in parallel. Continues unfinished uploads after a reload. */
export function useUploadQueue<Arrived>(how: UploadOptions<Arrived>) {
  const currentOptions = useRef(how);
  currentOptions.current = how;
  const { sender } = how;
  const [list, setList] = useState<readonly OngoingUpload[]>([]);
  const files = useRef(new Map<string, QueuedFile>());
  const failures = useRef<UploadFailure[]>([]);
  const pageVisit = useRef<{ signal: AbortSignal; isInTurn: boolean }>(undefined);
  const [line] = useState(() =>
    createUploadQueue<NamedUpload>({ send: sendPhoto, pause, onGivenUp: markAllFailed, onEnd: reportFailures }),
  );

  const changeUpload = (id: string, state: OngoingUpload['state']) =>
    setList((now) => now.map((it) => (it.id === id ? { ...it, state } : it)));
  const dropUpload = (id: string) => {
    files.current.delete(id);
    void deleteStoredFile(id);
    setList((now) => {
      const droppedUpload = now.find((it) => it.id === id);
      if (droppedUpload) URL.revokeObjectURL(droppedUpload.previewUrl);
      return now.filter((it) => it.id !== id);
    });
  };

  /** Leaving the page stops its uploads. They continue when the person returns. */
  useEffect(() => {
    void loadTus().catch(() => {}); // the first photo loads it again
    const filesAtMount = files.current;
    const unmountController = new AbortController();
    const { signal } = unmountController;
    pageVisit.current = { signal, isInTurn: false };
    // Another tab may be sending the stored files. Wait until it ends, then continue the files that it did not finish.
    acquireSendingLock(async () => {
      const waitingFiles = await readStoredFiles(sender, (frameId) => currentOptions.current.mayStillGo(frameId));
      if (!signal.aborted) addStoredFiles(waitingFiles.filter(({ key }) => !filesAtMount.has(key)));
    });
    return () => {
      unmountController.abort();
      for (const { abort } of filesAtMount.values()) abort.abort();
      filesAtMount.clear();
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, on mount
  }, []);

  /**
   * Holds the lock until the queue is empty. Other tabs wait for the lock before they continue unfinished files. Newly
   * chosen files do not wait: every tab sends them at once.
   */
  function acquireSendingLock(first = async () => {}) {
    const currentVisit = pageVisit.current;
    if (!currentVisit || currentVisit.isInTurn) return;
    currentVisit.isInTurn = true;
    void runInOneTab(sender.id, currentVisit.signal, async () => {
      await first();
      await line.waitUntilIdle();
      currentVisit.isInTurn = false;
    });
  }

  function addStoredFiles(chosen: readonly StoredFile[]) {
    const addedUploads = chosen.map((storedUpload) => {
      const resumedUpload = { ...storedUpload, lastAt: Date.now() };
      files.current.set(resumedUpload.key, { it: resumedUpload, abort: new AbortController() });
      void storeFile(resumedUpload);
      return {
        id: storedUpload.key,
        frameId: storedUpload.frameId,
        name: storedUpload.file.name,
        file: storedUpload.file,
        previewUrl: URL.createObjectURL(storedUpload.file),
        state: { kind: 'sending' as const, progress: 0, isWaiting: true },
      };
    });
    if (addedUploads.length === 0) return;
    setList((now) => [...now, ...addedUploads]);
    line.add(addedUploads);
  }

  async function sendPhoto({ id, frameId, name }: NamedUpload): Promise<'done' | RetryReason> {
    const storedUpload = files.current.get(id);
    if (!storedUpload) return 'done'; // the upload was canceled
    const { abort } = storedUpload;
    const { file, key, address, chosen } = storedUpload.it;
    try {
      const arrivedPhoto = await sendInPieces<Arrived>({
        endpoint: currentOptions.current.endpoint,
        file,
        metadata: {
          ...(frameId !== undefined && { deviceId: frameId }),
          filename: name,
          key,
          ...(chosen && { selection: chosen.selection, place: String(chosen.place) }),
        },
        address,
        onAddress: (uploadAddress) => {
          storedUpload.it = { ...storedUpload.it, address: uploadAddress };
          void storeFile(storedUpload.it);
        },
        signal: abort.signal,
        onProgress: (progress) => changeUpload(id, { kind: 'sending', progress }),
      });
      if (arrivedPhoto) currentOptions.current.onArrived(arrivedPhoto, frameId);
      dropUpload(id);
    } catch (error) {
      if (abort.signal.aborted) return 'done';
      const retryReason = retryReasonOf(error);
      if (retryReason) {
        storedUpload.loss = error;
        setList((now) =>
          now.map((it) =>
            it.id === id && it.state.kind === 'sending' ? { ...it, state: { ...it.state, isWaiting: true } } : it,
          ),
        );
        return retryReason;
      }
      markFailed({ id, name }, error);
    }
    return 'done';
  }

  function markFailed({ id, name }: Pick<OngoingUpload, 'id' | 'name'>, error: unknown) {
    const isUnusable = isFinalRefusal(error);
    changeUpload(id, { kind: 'failed', words: errorText(error, `Failed to upload ${name}`), isUnusable });
    failures.current.push({ name, error });
    // Do not store the file for the next visit: the shop would refuse it again.
    if (isUnusable) void deleteStoredFile(id);
  }
  function markAllFailed(lost: NamedUpload[]) {
    const [first] = lost;
    const firstLoss = (first && files.current.get(first.id)?.loss) ?? new TypeError('Failed to fetch');
    for (const item of lost) if (files.current.has(item.id)) markFailed(item, firstLoss);
  }

  function reportFailures() {
    currentOptions.current.onEnd(failures.current.splice(0));
  }

  return {
    list,
    /** The files that are uploading to a frame. A guest's files have no frame id: omit the id to get all of them. */
    filesTo: (frameId?: string) =>
      [...files.current.values()].filter(({ it }) => it.frameId === frameId).map(({ it }) => it.file),
    add(chosen: readonly File[], frameId?: string) {
      const now = Date.now();
      const selectionId = crypto.randomUUID();
      addStoredFiles(
        chosen.map((file, index) => ({
          sender,
          frameId,
          file,
          key: crypto.randomUUID(),
          chosen: { selection: selectionId, place: index },
          address: undefined,
          chosenAt: now + index,
          lastAt: now,
        })),
      );
      acquireSendingLock();
    },
    retry(items: readonly OngoingUpload[]) {
      for (const { id } of items) {
        changeUpload(id, { kind: 'sending', progress: 0, isWaiting: true });
        const storedUpload = files.current.get(id);
        if (storedUpload) void storeFile(storedUpload.it);
      }
      line.add(items);
      acquireSendingLock();
    },
    /** Cancels an upload, or removes a failed one from the list. */
    cancel({ id }: OngoingUpload) {
      const storedUpload = files.current.get(id);
      storedUpload?.abort.abort();
      if (storedUpload?.it.address) void deleteSentPieces(storedUpload.it.address);
      dropUpload(id);
    },
    /** Call this after a frame is locked: drops its files that have not arrived. */
    leaveOutUploadsOf(frameId: string) {
      for (const [id, { it }] of files.current) if (it.frameId === frameId) dropUpload(id);
      void deleteStoredFilesOfFrame(frameId);
    },
  };
}

/** The upload failed, and a retry may succeed. */
export const canRetry = ({ state }: OngoingUpload) => state.kind === 'failed' && !state.isUnusable;
/** The combined progress of all uploads, 0 to 1. */
export const computeOverallProgress = (sending: readonly OngoingUpload[]): number =>
  sending.reduce((sum, { state }) => sum + (state.kind === 'sending' ? state.progress : 0), 0) /
  Math.max(1, sending.length);

export type Uploads = ReturnType<typeof useUploadQueue>;

/** Waits at least this long, and until the device is online. */
async function pause(ms: number) {
  await new Promise((resolve) => setTimeout(resolve, ms));
  if (!navigator.onLine) await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
}

/** The specified error text for failed photos. Does not mention the connection if the shop refused the first photo. */
export function failureText(failed: readonly UploadFailure[]): string | undefined {
  const [first] = failed;
  if (!first) return undefined;
  const { name, error } = first;
  const isRefused = error instanceof ApiError && error.status < 500;
  const message = error instanceof ApiError ? errorText(error, `Failed to upload ${name}`) : `Failed to upload ${name}`;
  const otherFailuresText = failed.length > 1 ? ` ${failed.length} photos didn’t upload.` : '';
  return `${message.replace(/[^.!?]$/, '$&.')}${otherFailuresText}${isRefused ? '' : ` ${connectionText}`}`;
}
