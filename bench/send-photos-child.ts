import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { doJobsOfParent } from '#adapters/processes/child-side.ts';
import { sendPhoto, type Sender } from './send-photo.ts';

export interface SendJob {
  sender: Sender;
  path: string;
  times: number;
}

// A phone has a processor of its own: ours takes none from the shop that others wait for.
setPriority(10);
/** Send a photo so many times at once, in a process of its own: whoever sends is not who waits for a page. */
doJobsOfParent(async ({ sender, path, times }: SendJob): Promise<null> => {
  const bytes = readFileSync(path);
  await Promise.all(Array.from({ length: times }, (_, i) => sendPhoto(sender, bytes, i + 1)));
  return null;
});
