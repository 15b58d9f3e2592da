import { readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { serveJobsOfParent } from '#adapters/processes/child-side.ts';
import { sendPhoto, type PhotoSender } from './send-photo.ts';

export interface SendJob {
  sender: PhotoSender;
  path: string;
  times: number;
}

// A real phone has its own processor. The low priority keeps this process from slowing down the shop.
setPriority(10);
/**
 * Sends a photo `times` times at once. It runs in a separate process, so that sending does not delay the client that
 * measures pages.
 */
serveJobsOfParent(async ({ sender, path, times }: SendJob): Promise<null> => {
  const bytes = readFileSync(path);
  await Promise.all(Array.from({ length: times }, (_, i) => sendPhoto(sender, bytes, i + 1)));
  return null;
});
