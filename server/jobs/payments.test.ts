import { expect, test } from 'vitest';
import { describeOnFastestEngine } from '#test/database.ts';
import { buyFramesAsAnna } from '#test/people.ts';
import { rejectAsUnavailable, createFaultyProvider } from '#test/provider.ts';
import { readAllTables, readQueuedMails } from '#test/rows.ts';
import { openTestShop } from '#test/shop.ts';
import { registerPaymentJobs } from './payments.ts';

type Handler = (data: never, attempt: { signal: AbortSignal; isLastTry: boolean }) => Promise<void>;

describeOnFastestEngine((fresh) => {
  test('emails the owner once when the last attempt to read a dispute fails', async () => {
    const testShop = await openTestShop(fresh, {
      provider: createFaultyProvider(() => ({ listDisputesOf: rejectAsUnavailable })).provider,
    });
    await buyFramesAsAnna(testShop);
    const payments = (await readAllTables(testShop.shop.db))['payments'] as { intent_id: string }[];
    const data = { intentId: payments[0]!.intent_id } as never;
    const handlers = new Map<string, Handler>();
    await registerPaymentJobs(
      { startWorkers: async (name, handler) => void handlers.set(name, handler), schedule: async () => {} },
      testShop.shop,
    );
    const runAttempt = (isLastTry: boolean) =>
      handlers.get('follow-disputes')!(data, { signal: new AbortController().signal, isLastTry });
    await expect(runAttempt(false)).rejects.toThrow();
    expect(await readQueuedMails(testShop.shop.db, 'failed-job:')).toEqual([]);
    await expect(runAttempt(true)).rejects.toThrow();
    await expect(runAttempt(true)).rejects.toThrow();
    expect(await readQueuedMails(testShop.shop.db, 'failed-job:')).toMatchObject([
      {
        to: 'support@kinframe.example',
        content: { job: expect.stringMatching(/^reading the disputes of payment pi_/) },
      },
    ]);
  });
});
