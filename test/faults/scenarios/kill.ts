import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { vi } from 'vitest';
import { listDescendants } from '#adapters/processes/process-table.ts';
import { readCpuSeconds } from '../../../bench/measure.ts';
import { Customers, type StartedPayment } from '../customers.ts';
import { ShopInstallation } from '../installation.ts';
import { RequestRecorder, type Random, type Engine, type Scenario, type ScenarioResult } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

const actionKinds = ['upload', 'charge', 'settle', 'refund', 'add-on', 'render', 'seeing'] as const;
type ActionKind = (typeof actionKinds)[number];
/** How many users act at the same time before each kill. */
const customerCount = 6;
/** CPU seconds within which a killed shop is ready again. `npm run bench -- starts` measures the elapsed time. */
const mostSeconds = 5;

export const repeatedKillScenario: Scenario = {
  name: 'kill',
  engines: ['embedded', 'postgres'],
  run: ({ engine, random, isShort }) =>
    isShort
      ? killDuring(engine, random, { kills: 15, during: ['upload', 'charge', 'settle'] })
      : killDuring(engine, random, { kills: 40, during: actionKinds }),
};

/** Ends the shop with kill -9 while people use it, and starts it again, many times. */
async function killDuring(
  engine: Engine,
  random: Random,
  { kills, during }: { kills: number; during: readonly ActionKind[] },
): Promise<ScenarioResult> {
  const installation = await ShopInstallation.open(engine);
  const requestRecorder = new RequestRecorder({ maybeSilent: true });
  const customers = await Customers.prepare(installation.browser, requestRecorder);
  const framesForFilms = customers.frames.values();
  const parallelCustomers = Array.from({ length: customerCount });
  const startCarts = async (begin: () => Promise<StartedPayment | undefined>) =>
    (await Promise.all(parallelCustomers.map(begin))).filter((it) => it !== undefined);
  const payForOrders = async () => {
    const startedPayments = await startCarts(customers.beginOrder);
    await Promise.all(startedPayments.map(customers.charge));
    return startedPayments;
  };
  /** For each kind of action: prepares the action, starts it, and resolves when the moment for the kill has come. */
  const beginByKind: Record<ActionKind, (under: Promise<unknown>[]) => Promise<void>> = {
    async upload(under) {
      under.push(...parallelCustomers.map(() => customers.upload()));
      await sleep(random.below(150));
    },
    async charge(under) {
      const charges = await startCarts(customers.beginOrder);
      under.push(...charges.map(customers.charge));
      await sleep(random.below(30));
    },
    async settle(under) {
      under.push(...(await payForOrders()).map(customers.settle));
      await sleep(random.below(60));
    },
    async refund(under) {
      const charges = await payForOrders();
      await Promise.all(charges.map(customers.settle));
      const orders = await Promise.all(charges.map((it) => customers.findOrderOf(it)));
      under.push(...orders.map(customers.refund));
      await sleep(random.below(80));
    },
    async 'add-on'(under) {
      const charges: StartedPayment[] = [];
      for (const frameId of customers.frames.slice(-4)) {
        const charge = await customers.beginAddon(frameId);
        if (charge && (await customers.charge(charge))) charges.push(charge);
      }
      under.push(...charges.map(customers.settle));
      await sleep(random.below(60));
    },
    async render() {
      await customers.orderFilm(framesForFilms.next().value!);
      await waitForChild(installation, 'render-child');
      await sleep(random.below(1500));
    },
    async seeing() {
      await customers.orderFilm(framesForFilms.next().value!);
      await waitForChild(installation, 'analysis-child');
      await sleep(random.below(300));
    },
  };
  let clockSeconds = 0;
  let workSeconds = 0;
  for (const kind of random.shuffled(Array.from({ length: kills }, (_, i) => during[i % during.length]!))) {
    const begunRequests: Promise<unknown>[] = [];
    await beginByKind[kind](begunRequests);
    await installation.kill();
    await Promise.all(begunRequests);
    const startedAt = performance.now();
    await installation.start();
    clockSeconds = Math.max(clockSeconds, (performance.now() - startedAt) / 1000);
    workSeconds = Math.max(workSeconds, readCpuSeconds(installation.shop.child.pid!));
  }
  if (during.includes('render')) await customers.filmsMade();

  const storedState = await installation.pollUntilComplete(
    (db) => readStoredState(db, installation.files),
    (stored) => findMissingItems(requestRecorder, stored),
  );
  // These figures are reported but not checked, because they depend on the machine's load and speed.
  const figures = `${workSeconds.toFixed(1)} s of processor time (limit ${mostSeconds} s), ${clockSeconds.toFixed(1)} s by the clock`;
  return requestRecorder.createResult(
    `${kills} times kill -9 during ${during.join(', ')}, ready again after at most ${figures}`,
    namesWithDeleted(requestRecorder, storedState.names),
  );
}

async function waitForChild({ shop }: ShopInstallation, program: string): Promise<void> {
  const isProcessAlive = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(program);
    } catch {
      return false; // the process has ended
    }
  };
  await vi.waitUntil(() => listDescendants(shop.child.pid!).some(isProcessAlive), { timeout: 120_000, interval: 20 });
}
