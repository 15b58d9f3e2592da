import { childEntry } from '../processes/child-entry.ts';
import { runInChild } from '../processes/run-in-child.ts';

export interface QrJob {
  path: string;
}
export interface QrAnswer {
  text: string | undefined;
}

/** What a QR code in a picture says; undefined where none can be read. The picture is one of ours: a display copy. */
export async function readQr(path: string): Promise<string | undefined> {
  const answer = await runInChild<QrJob, QrAnswer>({
    entry: childEntry(import.meta.url, 'read-qr-child'),
    job: { path },
    nodeArguments: [],
    environment: {},
    timeoutMs: 10_000,
  }).catch(() => undefined);
  return answer?.text?.trim() || undefined;
}
