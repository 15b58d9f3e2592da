const key = 'selectedFrameId';

/** The frame the customer last worked on, for this visit: an address without frameId opens it again. */
export function rememberFrame(frameId: string): void {
  try {
    sessionStorage.setItem(key, frameId);
  } catch {
    // Storage is switched off; the address still says which frame it is.
  }
}

export function rememberedFrame(): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

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
