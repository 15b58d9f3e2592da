import { childProgramUrl } from '../processes/child-entry.ts';
import { runInChild } from '../processes/run-in-child.ts';

export interface QrJob {
  path: string;
}
export interface QrResult {
  text: string | undefined;
}

/**
 * Reads the text of a QR code in a picture; undefined if no code can be read. The picture must be a display copy made
 * by the shop, because this child process runs without fences and must not decode untrusted files.
 */
export async function readQr(path: string): Promise<string | undefined> {
  const qrResult = await runInChild<QrJob, QrResult>({
    entry: childProgramUrl(import.meta.url, 'read-qr-child'),
    job: { path },
    nodeArguments: [],
    environment: {},
    timeoutMs: 10_000,
  }).catch(() => undefined);
  return qrResult?.text?.trim() || undefined;
}
