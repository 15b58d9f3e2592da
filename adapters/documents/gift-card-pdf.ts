import { childProgramUrl } from '../processes/child-entry.ts';
import { runInChild } from '../processes/run-in-child.ts';

export interface GiftCardJob {
  shopName: string;
  supportEmail: string;
  /** The page that shows the balance, without its scheme. */
  address: string;
  isForFrame: boolean;
  amountCents: number;
  recipientName: string;
  senderName: string;
  message: string | null;
  /** The code in groups of four. */
  codeText: string;
  /** Paths of font files. */
  serif: string;
  sans: string;
}
export interface GiftCardAnswer {
  base64: string;
}

/** Draws a gift card as a one-page PDF. Uses a child process, like the connection guide. */
export async function drawGiftCard(job: GiftCardJob): Promise<Buffer> {
  const { base64 } = await runInChild<GiftCardJob, GiftCardAnswer>({
    entry: childProgramUrl(import.meta.url, 'gift-card-child'),
    job,
    timeoutMs: 20_000,
  });
  return Buffer.from(base64, 'base64');
}
