import { expect, it, vi } from 'vitest';
import { ApiError } from '../data/api.ts';
import { pollPayment, type VerifyPaymentResponse, pageAfterPayment } from './verify-payment.ts';

const paidPayment: VerifyPaymentResponse = { success: true, status: 'paid', needsRegistration: true, session: 's' };
const processing: VerifyPaymentResponse = { success: false, status: 'processing', needsRegistration: false };
const refusedError = new ApiError(402, '{"message":"Payment was not completed successfully"}');
const unavailableError = new ApiError(503, '{}');

function pollWithAnswers(...answers: (VerifyPaymentResponse | Error)[]) {
  const onWaiting = vi.fn();
  const pauses: number[] = [];
  const verify = vi.fn(async () => {
    const nextAnswer = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (nextAnswer instanceof Error) throw nextAnswer;
    return nextAnswer;
  });
  const abortController = new AbortController();
  const wait = async (ms: number) => void pauses.push(ms);
  const outcome = pollPayment('pi_1', { signal: abortController.signal, onWaiting, verify, wait });
  return { outcome, onWaiting, verify, pauses, stop: abortController };
}

it('returns at once when the payment has succeeded', async () => {
  const { outcome, verify, onWaiting } = pollWithAnswers(paidPayment);
  expect(await outcome).toBe(paidPayment);
  expect(verify).toHaveBeenCalledOnce();
  expect(onWaiting).not.toHaveBeenCalled();
});

it('polls while the bank decides', async () => {
  const { outcome, verify, onWaiting } = pollWithAnswers(processing, processing, paidPayment);
  expect(await outcome).toBe(paidPayment);
  expect(verify).toHaveBeenCalledTimes(3);
  expect(onWaiting).toHaveBeenCalledTimes(2);
});

it('stops polling after at most 40 requests and more than three minutes when the bank does not decide', async () => {
  const { outcome, verify, pauses } = pollWithAnswers(processing);
  expect(await outcome).toEqual(processing);
  expect(verify.mock.calls.length).toBeLessThanOrEqual(40);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(180_000);
});

it('does not retry after a refusal', async () => {
  const { outcome, verify } = pollWithAnswers(refusedError);
  await expect(outcome).rejects.toBe(refusedError);
  expect(verify).toHaveBeenCalledOnce();
});

it('retries after a temporary failure, and rejects when the shop stays down', async () => {
  expect(await pollWithAnswers(unavailableError, new TypeError('Failed to fetch'), paidPayment).outcome).toBe(
    paidPayment,
  );
  const { outcome, verify } = pollWithAnswers(unavailableError);
  await expect(outcome).rejects.toBe(unavailableError);
  expect(verify).toHaveBeenCalledTimes(3);
});

it('keeps polling when temporary failures do not follow each other', async () => {
  const { outcome } = pollWithAnswers(
    unavailableError,
    processing,
    unavailableError,
    processing,
    unavailableError,
    processing,
    paidPayment,
  );
  expect(await outcome).toBe(paidPayment);
});

it('rejects with the shop’s message or a fallback when the payment is neither successful nor processing', async () => {
  const oddAnswer = { success: false, status: 'paid', needsRegistration: false } as const;
  await expect(pollWithAnswers(oddAnswer).outcome).rejects.toThrow('Payment verification failed');
  await expect(pollWithAnswers({ ...oddAnswer, error: 'No such order' }).outcome).rejects.toThrow('No such order');
});

it('stops polling when the signal aborts, because the buyer left the page', async () => {
  const { outcome, verify, stop } = pollWithAnswers(processing);
  stop.abort();
  await expect(outcome).rejects.toThrow(/abort/i);
  expect(verify).toHaveBeenCalledOnce();
});

it('pageAfterPayment returns the registration page only when the buyer needs an account', () => {
  expect(pageAfterPayment({ needsRegistration: true })).toBe('/complete-registration');
  expect(pageAfterPayment({ needsRegistration: false })).toBe('/upload');
});
