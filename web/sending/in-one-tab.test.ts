import { expect, it } from 'vitest';
import { runInOneTab } from './in-one-tab.ts';

/** A tab that works until `finish` or `leave` is called. */
function openTab(customerId: string) {
  const unmountController = new AbortController();
  const workFinished = Promise.withResolvers<void>();
  const startedPromise = Promise.withResolvers<void>();
  const log = { hasBegun: false };
  const runResult = runInOneTab(customerId, unmountController.signal, async () => {
    log.hasBegun = true;
    startedPromise.resolve();
    await workFinished.promise;
  });
  return {
    log,
    begun: startedPromise.promise,
    finish: workFinished.resolve,
    leave: () => unmountController.abort(),
    over: runResult,
  };
}

it('runs a customer’s uploads in one tab at a time, and in the next tab when the first tab closes', async () => {
  const [first, second, ben] = [openTab('anna'), openTab('anna'), openTab('ben')];
  await Promise.all([first.begun, ben.begun]);
  expect(second.log.hasBegun).toBe(false);
  first.finish();
  await second.begun;
  second.finish();
  ben.finish();
  await Promise.all([first.over, second.over, ben.over]);
});
it('runs the work in the next tab when one is left, and skips a tab that was left while it waited', async () => {
  const [first, second, third] = [openTab('anna'), openTab('anna'), openTab('anna')];
  await first.begun;
  second.leave();
  await second.over;
  first.leave();
  await Promise.all([first.over, third.begun]);
  expect(second.log.hasBegun).toBe(false);
  third.finish();
  await third.over;
});
