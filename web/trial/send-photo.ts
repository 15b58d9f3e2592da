import type { TrialView } from '#contract/trials.ts';
import { upload } from '../data/upload.ts';
import { inOneTab } from '../sending/one-tab.ts';

/**
 * Sends the photo of a trial. Only one tab of a browser sends at a time. The second tab then has the cookie of the first
 * one, so the same photo makes one film.
 */
export async function sendTrialPhoto(
  photo: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<TrialView | undefined> {
  let trial: TrialView | undefined;
  await inOneTab('trial', signal, async () => {
    const form = new FormData();
    form.append('image', photo, photo.name);
    trial = await upload('POST /api/trial', form, { signal, onProgress });
  });
  return trial;
}
