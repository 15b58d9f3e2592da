import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { Customers } from '../customers.ts';
import { ShiftedClock } from '../shifted-clock.ts';
import { ShopInstallation } from '../installation.ts';
import { ExternalProvider, sendWebhook } from '../external-provider.ts';
import { createVisitorBrowsers } from '../running-shop.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { createGuestBuyers } from '../guest-buyers.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A shop with an adjustable clock, and a provider with a correct clock. */
async function openWithClock(engine: 'embedded' | 'postgres') {
  const provider = await ExternalProvider.open(engine);
  const clock = new ShiftedClock();
  const installation = await ShopInstallation.open(engine, {
    settings: { ...provider.settingsOfShop(), ...clock.settings, RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
  });
  return { provider, clock, installation, ...createVisitorBrowsers(installation.shop.origin, provider.origin) };
}

/** The shop's clock jumps by an hour and by a day, forward and back, while people use it. */
export const clockJumpScenario: Scenario = {
  name: 'clock',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const { provider, clock, installation, browser } = await openWithClock(engine);
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(browser, requestRecorder);
    const buy = createGuestBuyers(browser, requestRecorder);
    const stopActivity = repeatUntilStopped([buy, buy, customers.lookAround, customers.uploadAndTidyUp], 100);
    const clockJumpsMs = [hourMs, -hourMs, dayMs, -dayMs];
    for (const jumpMs of clockJumpsMs) {
      await sleep(3_000);
      await clock.setAhead(installation, jumpMs);
      await sleep(6_000);
      await clock.setAhead(installation, 0);
    }
    await stopActivity();
    const events = await provider.listEventsAfter();
    for (const event of random.shuffled(events)) expect(await sendWebhook(installation.shop, event)).toBe(200);
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, installation.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    return requestRecorder.createResult(
      'the shop’s clock was an hour ahead, an hour behind, a day ahead and a day behind, for six seconds each',
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

/** No buyer returns from paying, and the provider's webhooks arrive a day later, twice and out of order. */
export const webhooksLate: Scenario = {
  name: 'webhooks-late',
  engines: ['embedded', 'postgres'],
  async run({ engine, random }) {
    const { provider, clock, installation, browser } = await openWithClock(engine);
    const requestRecorder = new RequestRecorder();
    const buy = createGuestBuyers(browser, requestRecorder, { isLeaving: () => true });
    for (let time = 0; time < 10; time++) await Promise.all(Array.from({ length: 4 }, buy));
    await clock.setAhead(installation, dayMs);
    const events = await provider.listEventsAfter();
    const shuffledEvents = random.shuffled([...events, ...events]);
    for (const event of shuffledEvents)
      expect(await sendWebhook(installation.shop, event, Date.now() + dayMs)).toBe(200);
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, installation.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    const paidNames = (await provider.listChargedIntents()).map((it) => `paid:${it}`);
    expect(storedState.names.toSorted()).toEqual(paidNames.toSorted());
    return requestRecorder.createResult(
      `no buyer returned after paying, ${shuffledEvents.length} webhooks arrived a day late, twice and in random order`,
      storedState.names,
    );
  },
};
