import { childEntry } from '../processes/child-entry.ts';
import { runInChild } from '../processes/run-in-child.ts';

export interface GuideJob {
  shopName: string;
  supportEmail: string;
  /** Font files. */
  serif: string;
  sans: string;
}
export interface GuideAnswer {
  base64: string;
}

/** The connection guide as a PDF of one sheet, drawn in a process of its own: what draws is large, and seldom asked for. */
export async function drawGuide(job: GuideJob): Promise<Buffer> {
  const { base64 } = await runInChild<GuideJob, GuideAnswer>({
    entry: childEntry(import.meta.url, 'guide-child'),
    job,
    timeoutMs: 20_000,
  });
  return Buffer.from(base64, 'base64');
}
