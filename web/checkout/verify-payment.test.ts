import { expect, it, vi } from 'vitest';
import { ApiError } from '../data/api.ts';
import { followPayment, type PaidPayment, pageAfterPayment } from './verify-payment.ts';

const paid: PaidPayment = { success: true, status: 'paid', needsRegistration: true, session: 's' };
const processing: PaidPayment = { success: false, status: 'processing', needsRegistration: false };
const refused = new ApiError(402, '{"message":"Payment was not completed successfully"}');
const down = new ApiError(503, '{}');

function follow(...answers: (PaidPayment | Error)[]) {
  const onWaiting = vi.fn();
  const pauses: number[] = [];
  const verify = vi.fn(async () => {
    const next = answers.length > 1 ? answers.shift()! : answers[0]!;
    if (next instanceof Error) throw next;
    return next;
  });
  const stop = new AbortController();
  const wait = async (ms: number) => void pauses.push(ms);
  const outcome = followPayment('pi_1', { signal: stop.signal, onWaiting, verify, wait });
  return { outcome, onWaiting, verify, pauses, stop };
}

it('answers at once when the payment is through', async () => {
  const { outcome, verify, onWaiting } = follow(paid);
  expect(await outcome).toBe(paid);
  expect(verify).toHaveBeenCalledOnce();
  expect(onWaiting).not.toHaveBeenCalled();
});

it('keeps asking while the bank decides', async () => {
  const { outcome, verify, onWaiting } = follow(processing, processing, paid);
  expect(await outcome).toBe(paid);
  expect(verify).toHaveBeenCalledTimes(3);
  expect(onWaiting).toHaveBeenCalledTimes(2);
});

it('gives up politely, within what one address may ask', async () => {
  const { outcome, verify, pauses } = follow(processing);
  expect(await outcome).toEqual(processing);
  expect(verify.mock.calls.length).toBeLessThanOrEqual(40);
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(180_000);
});

it('takes a no for a no', async () => {
  const { outcome, verify } = follow(refused);
  await expect(outcome).rejects.toBe(refused);
  expect(verify).toHaveBeenCalledOnce();
});

it('asks again after a moment when the shop stumbles, and says so when it stays down', async () => {
  expect(await follow(down, new TypeError('Failed to fetch'), paid).outcome).toBe(paid);
  const { outcome, verify } = follow(down);
  await expect(outcome).rejects.toBe(down);
  expect(verify).toHaveBeenCalledTimes(3);
});

it('has words for an answer without any', async () => {
  const odd = { success: false, status: 'paid', needsRegistration: false } as const;
  await expect(follow(odd).outcome).rejects.toThrow('Payment verification failed');
  await expect(follow({ ...odd, error: 'No such order' }).outcome).rejects.toThrow('No such order');
});

it('stops when the page is left', async () => {
  const { outcome, verify, stop } = follow(processing);
  stop.abort();
  await expect(outcome).rejects.toThrow(/abort/i);
  expect(verify).toHaveBeenCalledOnce();
});

it('asks for a password only where there is no account yet', () => {
  expect(pageAfterPayment({ needsRegistration: true })).toBe('/complete-registration');
  expect(pageAfterPayment({ needsRegistration: false })).toBe('/upload');
});
