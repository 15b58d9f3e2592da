import { readCurrentMegabytes } from '../../bench/measure.ts';
import { Customers, type StartedPayment } from '../faults/customers.ts';
import type { RunningShop } from '../faults/running-shop.ts';
import { repeatUntilStopped, RequestRecorder } from '../faults/scenario.ts';
import { createGuestBuyers } from '../faults/guest-buyers.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../faults/stored-state.ts';
import { anna, annasPassword } from '../people.ts';
import { runAtInterval } from './run-at-interval.ts';
import { openLoadTestShop } from './load-test-shop.ts';
import { createCountFigure, type MeasuredFigure, type LoadTest } from './part.ts';
import { startSendingWebhooks } from './webhooks.ts';

const videoCount = 16;

/** Runs all common customer and owner actions at a steady rate and watches the memory of web and worker. */
export const mixedActionsLoadTest: LoadTest = {
  name: 'mixed',
  async run({ random, minutes }) {
    const shop = await openLoadTestShop();
    const { web, worker } = shop;
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(shop.browser, requestRecorder);
    const { owner } = customers;
    const stopWebhooks = startSendingWebhooks(shop, random);
    const memory = { web: new MemorySampler(web.shop), worker: new MemorySampler(worker) };
    const endWatching = repeatUntilStopped([() => memory.web.takeSample(), () => memory.worker.takeSample()], 2_000);

    let refunded: StartedPayment | undefined;
    const actsByInterval: [seconds: number, act: (at: number) => Promise<unknown>][] = [
      [1, customers.lookAround],
      [2, createGuestBuyers(shop.browser, requestRecorder)],
      [2, customers.uploadAndTidyUp],
      [40, () => customers.buyAddon(customers.frameForPhotos())],
      [(minutes * 60) / videoCount, (at) => customers.orderFilm(customers.frames[at]!)],
      [10, () => requestRecorder.sendAndCheck(owner.get('/api/admin/lists/orders'))],
      [10, () => requestRecorder.sendAndCheck(owner.get('/api/admin/lists/production-orders'))],
      [10, () => requestRecorder.sendAndCheck(owner.get('/api/admin/stats'))],
      [
        20,
        async () => {
          const charge = await customers.beginOrder();
          if (!charge || !(await customers.charge(charge)) || !(await customers.settle(charge))) return;
          if (refunded) await customers.refund(await customers.findOrderOf(refunded));
          refunded = charge;
        },
      ],
      [
        15,
        () =>
          requestRecorder.sendAndCheck(
            shop.browser().post('/api/auth/login', { email: anna.email, password: annasPassword }),
          ),
      ],
      [15, () => requestRecorder.sendAndCheck(shop.browser().post('/api/auth/register', createCustomer()))],
    ];
    await Promise.all(
      actsByInterval.map(([seconds, act]) => runAtInterval(Math.floor((minutes * 60) / seconds), seconds * 1000, act)),
    );
    await endWatching();
    const webhookCount = await stopWebhooks();
    const storedState = await web.pollUntilComplete(
      (db) => readStoredState(db, web.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    const lostCount = requestRecorder.findMissing(namesWithDeleted(requestRecorder, storedState.names)).length;
    return {
      done: `${minutes} minutes of mixed work: ${requestRecorder.tried} purchases, photos, films and refunds, ${webhookCount} webhooks`,
      figures: [
        ...memory.web.createFigures('web'),
        ...memory.worker.createFigures('worker'),
        createCountFigure('lost', lostCount, 0),
      ],
      words: requestRecorder.words,
    };
  },
};

const createCustomer = () => ({
  firstName: 'Ben',
  lastName: 'Ode',
  email: `ben-${crypto.randomUUID()}@example.com`,
  password: 'Kite-over-sea-4',
});

/** Memory samples of a process. */
class MemorySampler {
  readonly #shop: RunningShop;
  readonly #seen: { at: number; resident: number; heap: number }[] = [];
  constructor(shop: RunningShop) {
    this.#shop = shop;
  }

  async takeSample(): Promise<void> {
    const { origin, child } = this.#shop;
    const metricsText = await (await fetch(`${origin}/metrics`)).text();
    const heap = Number(/^nodejs_heap_size_used_bytes ([\d.e+]+)$/m.exec(metricsText)?.[1]) / 1e6;
    this.#seen.push({ at: performance.now(), resident: readCurrentMegabytes(child.pid!), heap });
  }

  /**
   * Compares the last third of the time with the middle third. The first third fills caches and pools, and is not
   * counted.
   */
  createFigures(process: string): MeasuredFigure[] {
    const [begin, end] = [this.#seen[0]!.at, this.#seen.at(-1)!.at];
    const meanOfThird = (which: number, what: 'resident' | 'heap') => {
      const samplesOfThird = this.#seen.filter(
        ({ at }) => Math.min(2, Math.floor((3 * (at - begin)) / (end - begin))) === which,
      );
      return samplesOfThird.reduce((sum, it) => sum + it[what], 0) / samplesOfThird.length;
    };
    const names = { resident: 'resident memory', heap: 'heap' };
    return (['resident', 'heap'] as const).map((what) => {
      const middleMean = meanOfThird(1, what);
      const limit = middleMean + Math.min(mostGrowth.megabytes, mostGrowth.share * middleMean);
      const name = `${process}, ${names[what]}, in the last third`;
      return { name, value: meanOfThird(2, what), unit: 'MB', is: 'at most', limit };
    });
  }
}
const mostGrowth = { megabytes: 20, share: 0.1 };
