import { storeInSessionStorage, readFromSessionStorage } from '../data/tab-memory.ts';

const key = 'selectedFrameId';

/** Stores the last used frame for this tab. /upload without a frameId then opens this frame again. */
export const rememberFrame = (frameId: string): void => storeInSessionStorage(key, frameId);
export const readRememberedFrame = (): string | null => readFromSessionStorage(key);

/** Returns the first of the `wanted` frames that the customer owns, otherwise the first frame that accepts photos. */
export function chooseFrame<F extends { deviceId: string; uploadFinalized: boolean }>(
  frames: readonly F[],
  ...wanted: (string | null | undefined)[]
): F | undefined {
  for (const id of wanted) {
    const foundFrame = frames.find((it) => it.deviceId === id);
    if (foundFrame) return foundFrame;
  }
  return frames.find((it) => !it.uploadFinalized) ?? frames[0];
}
