import { type Answer, ApiError, send } from '../data/api.ts';
import { paths } from '../paths.ts';

export type PaidPayment = Answer<'POST /api/verify-payment'>;

interface Following {
  signal: AbortSignal;
  /** The bank has not decided yet. */
  onWaiting: () => void;
  verify?: (paymentIntentId: string) => Promise<PaidPayment>;
  wait?: (ms: number) => Promise<void>;
}

/** How long to wait before asking again: soon at first, then patiently, for about four minutes. */
const pausesMs = [1500, 2000, ...Array.from({ length: 18 }, () => 3000), ...Array.from({ length: 18 }, () => 10_000)];
/** Interruptions that a moment mends; the payment itself is safe with the provider. */
const mostStumbles = 3;

/**
 * Ask the shop whether an intent is paid until it says yes, or no, or until it has been processing for so long that
 * waiting on the page makes no sense: then the answer is `processing`. Throws the shop's no.
 */
export async function followPayment(paymentIntentId: string, following: Following): Promise<PaidPayment> {
  const { signal, onWaiting, verify = askShop, wait = pause } = following;
  let stumbles = 0;
  for (const pauseMs of pausesMs) {
    try {
      const answer = await verify(paymentIntentId);
      signal.throwIfAborted();
      if (answer.success) return answer;
      if (answer.status !== 'processing') throw new VerificationError(answer.error);
      onWaiting();
    } catch (error) {
      signal.throwIfAborted();
      stumbles += 1;
      if (!isPassing(error) || stumbles >= mostStumbles) throw error;
    }
    await wait(pauseMs);
    signal.throwIfAborted();
  }
  return { success: false, status: 'processing', needsRegistration: false };
}

/** The shop answered, but neither yes nor wait. */
export class VerificationError extends Error {
  override name = 'VerificationError';
  constructor(words: string | undefined) {
    super(words ?? 'Payment verification failed');
  }
}

/** Where a buyer goes from here (specification 1, section 4). */
export const pageAfterPayment = ({ needsRegistration }: Pick<PaidPayment, 'needsRegistration'>) =>
  needsRegistration ? paths.completeRegistration : paths.upload;

const askShop = (paymentIntentId: string) => send('POST /api/verify-payment', { body: { paymentIntentId } });
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isPassing = (error: unknown) =>
  error instanceof TypeError || (error instanceof ApiError && (error.status >= 500 || error.status === 429));
