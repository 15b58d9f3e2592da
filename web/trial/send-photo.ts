import type { TrialView } from '#contract/trials.ts';
import { checkFiles } from '../account/upload/file-checks.ts';
import type { InputProblem } from '../account/input-problem.ts';
import { send } from '../data/api.ts';
import { upload } from '../data/upload.ts';
import { runInOneTab } from '../sending/in-one-tab.ts';

/** Why this file cannot be sent. It has the same rules as every upload. */
export const findTrialPhotoProblem = (photo: File): InputProblem | undefined =>
  checkFiles([photo], { room: 1 }).problems[0];

/**
 * Sends the photo of a trial. The browser gets its cookie first: if the response to the photo is lost, the trial still
 * belongs to it, and the same photo can be sent again. Only one tab of a browser sends at a time.
 */
export async function sendTrialPhoto(
  photo: File,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (done: number) => void },
): Promise<TrialView | undefined> {
  let trial: TrialView | undefined;
  await runInOneTab('trial', signal, async () => {
    await send('GET /api/trial/browser');
    const form = new FormData();
    form.append('image', photo, photo.name);
    trial = await upload('POST /api/trial', form, { signal, onProgress });
  });
  return trial;
}
