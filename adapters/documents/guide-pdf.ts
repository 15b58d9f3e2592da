import { childProgramUrl } from '../processes/child-entry.ts';
import { runInChild } from '../processes/run-in-child.ts';

export interface GuideJob {
  shopName: string;
  supportEmail: string;
  /** Paths of font files. */
  serif: string;
  sans: string;
}
export interface GuideResult {
  base64: string;
}

/**
 * Draws the connection guide as a one-page PDF. Uses a child process, because the drawing library is large and rarely
 * needed.
 */
export async function drawGuide(job: GuideJob): Promise<Buffer> {
  const { base64 } = await runInChild<GuideJob, GuideResult>({
    entry: childProgramUrl(import.meta.url, 'guide-child'),
    job,
    timeoutMs: 20_000,
  });
  return Buffer.from(base64, 'base64');
}
