import { keepInTab, keptInTab } from '../data/tab-memory.ts';

const key = 'selectedFrameId';

/** The frame the customer last worked on, for this visit: an address without frameId opens it again. */
export const rememberFrame = (frameId: string): void => keepInTab(key, frameId);
export const rememberedFrame = (): string | null => keptInTab(key);

/** The frame to show: the one asked for, else the one last worked on, else the first that still takes photos. */
export function chooseFrame<F extends { deviceId: string; uploadFinalized: boolean }>(
  frames: readonly F[],
  ...wanted: (string | null | undefined)[]
): F | undefined {
  for (const id of wanted) {
    const found = frames.find((it) => it.deviceId === id);
    if (found) return found;
  }
  return frames.find((it) => !it.uploadFinalized) ?? frames[0];
}
