import { type ApiResponseBody, ApiError, send } from '../data/api.ts';
import { paths } from '../paths.ts';

export type VerifyPaymentResponse = ApiResponseBody<'POST /api/verify-payment'>;

interface PollOptions {
  signal: AbortSignal;
  /** Called after each poll while the bank has not decided. */
  onWaiting: () => void;
  verify?: (paymentIntentId: string) => Promise<VerifyPaymentResponse>;
  wait?: (ms: number) => Promise<void>;
}

/** The delays between polls in ms: short at first, then longer, for about four minutes in total. */
const pausesMs = [1500, 2000, ...Array.from({ length: 18 }, () => 3000), ...Array.from({ length: 18 }, () => 10_000)];
/** After this many temporary failures in a row, polling ends with an error. The payment is not lost by that. */
const maxFailuresInARow = 3;

/**
 * Polls the shop until an intent is paid or refused. If the payment is still processing after about four minutes,
 * returns `processing`. If the payment is refused, throws the shop's refusal.
 */
export async function pollPayment(paymentIntentId: string, following: PollOptions): Promise<VerifyPaymentResponse> {
  const { signal, onWaiting, verify = verifyAtShop, wait = pause } = following;
  let stumbles = 0;
  for (const pauseMs of pausesMs) {
    try {
      const verifyResponse = await verify(paymentIntentId);
      signal.throwIfAborted();
      if (verifyResponse.success) return verifyResponse;
      if (verifyResponse.status !== 'processing') throw new VerificationError(verifyResponse.error);
      onWaiting();
      stumbles = 0;
    } catch (error) {
      signal.throwIfAborted();
      stumbles += 1;
      if (!isTemporaryError(error) || stumbles >= maxFailuresInARow) throw error;
    }
    await wait(pauseMs);
    signal.throwIfAborted();
  }
  return { success: false, status: 'processing', needsRegistration: false };
}

/** Thrown if the shop's response says neither that the payment succeeded nor that it is processing. */
export class VerificationError extends Error {
  override name = 'VerificationError';
  constructor(words: string | undefined) {
    super(words ?? 'Payment verification failed');
  }
}

/** The next page after a payment (specification 1, section 4). */
export const pageAfterPayment = ({ needsRegistration }: Pick<VerifyPaymentResponse, 'needsRegistration'>) =>
  needsRegistration ? paths.completeRegistration : paths.upload;

const verifyAtShop = (paymentIntentId: string) => send('POST /api/verify-payment', { body: { paymentIntentId } });
const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const isTemporaryError = (error: unknown) =>
  error instanceof TypeError || (error instanceof ApiError && (error.status >= 500 || error.status === 429));
