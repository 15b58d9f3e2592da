import { expect, it } from 'vitest';
import { inOneTab } from './one-tab.ts';

/** A tab that goes on working until it is told to stop. */
function openTab(customerId: string) {
  const leaving = new AbortController();
  const work = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const log = { hasBegun: false };
  const over = inOneTab(customerId, leaving.signal, async () => {
    log.hasBegun = true;
    begun.resolve();
    await work.promise;
  });
  return { log, begun: begun.promise, finish: work.resolve, leave: () => leaving.abort(), over };
}

it('lets one tab of a customer work, and the next one when it has ended', async () => {
  const [first, second, ben] = [openTab('anna'), openTab('anna'), openTab('ben')];
  await Promise.all([first.begun, ben.begun]);
  expect(second.log.hasBegun).toBe(false);
  first.finish();
  await second.begun;
  second.finish();
  ben.finish();
  await Promise.all([first.over, second.over, ben.over]);
});
it('lets the next one work when a tab is left half way, and none that was left before its turn', async () => {
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
