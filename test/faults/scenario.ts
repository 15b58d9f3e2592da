import { setTimeout as sleep } from 'node:timers/promises';
import type { ShopResponse } from '../shop.ts';

export type Engine = 'embedded' | 'postgres';

/** A fault that happens while people use the shop. */
export interface Scenario {
  /** The name for `npm run faults -- --only`. */
  name: string;
  engines: readonly Engine[];
  /** Whether the fault is possible on this machine. The default is yes. */
  isPossible?: (engine: Engine) => boolean;
  /** @param isShort the selection that `npm test` runs. Throws if a promise was broken that no count covers. */
  run(how: { engine: Engine; random: Random; isShort: boolean }): Promise<ScenarioResult>;
}

export interface ScenarioResult {
  /** A summary of the fault, with its figures. */
  done: string;
  /** The number of requests, of acknowledged requests, and of results that exist in the end. */
  tried: number;
  acknowledged: number;
  present: number;
  /** The number of acknowledged results that are missing. */
  lost: number;
  /** Error messages that users saw. */
  words: string[];
}

/** Random numbers that are the same for the same seed. */
export type Random = ReturnType<typeof createSeededRandom>;
export function createSeededRandom(seed: number) {
  let state = seed >>> 0;
  /** A number from 0 to 1 (mulberry32). */
  const nextRandom = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const randomBelow = (end: number) => Math.floor(nextRandom() * end);
  return {
    next: nextRandom,
    /** An integer from 0 up to but not including `end`. */
    below: randomBelow,
    oneOf: <T>(list: readonly T[]): T => list[randomBelow(list.length)]!,
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((it) => ({ it, at: nextRandom() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ it }) => it),
  };
}

/** Records requests to a shop during a fault, and the shop's responses. */
export class RequestRecorder {
  tried = 0;
  /** The number of successful responses of any kind. */
  yeses = 0;
  /** `order:pi_…`, `photo:…`: every acknowledged item. */
  readonly acknowledged = new Set<string>();
  readonly #words = new Set<string>();
  readonly #maybeSilent: boolean;

  /** @param maybeSilent requests without a response are expected, because the process is killed. */
  constructor({ maybeSilent = false } = {}) {
    this.#maybeSilent = maybeSilent;
  }

  /**
   * Sends a request. Returns the response if it is successful. Checks that a refusal has a readable message without
   * internal details.
   */
  async sendAndCheck(request: Promise<ShopResponse>): Promise<ShopResponse | undefined> {
    let response: ShopResponse;
    try {
      response = await request;
    } catch (error) {
      if (this.#maybeSilent) return undefined;
      throw error;
    }
    if (response.status < 300) {
      this.yeses += 1;
      return response;
    }
    this.#words.add(readMessage(response));
    return undefined;
  }
  /** Sends a request and counts it as tried. `name` returns the item that must exist after a successful response. */
  async tryRequest(
    request: Promise<ShopResponse>,
    name: (yes: ShopResponse) => string | undefined,
  ): Promise<ShopResponse | undefined> {
    this.tried += 1;
    const successResponse = await this.sendAndCheck(request);
    const acknowledgedName = successResponse && name(successResponse);
    if (acknowledgedName !== undefined) this.acknowledged.add(acknowledgedName);
    return successResponse;
  }

  /** The messages of all refusals. */
  get words(): string[] {
    return [...this.#words].toSorted((a, b) => a.localeCompare(b));
  }
  findMissing(present: Iterable<string>): string[] {
    const presentNames = new Set(present);
    return [...this.acknowledged].filter((it) => !presentNames.has(it));
  }
  /** @param present everything that exists, acknowledged or not. */
  createResult(done: string, present: Iterable<string>): ScenarioResult {
    const presentItems = [...present];
    return {
      done,
      tried: this.tried,
      acknowledged: this.acknowledged.size,
      present: presentItems.length,
      lost: this.findMissing(presentItems).length,
      words: this.words,
    };
  }
}

const internalDetailsPattern =
  /\n\s+at |\bE[A-Z]{5,}\b|127\.0\.0\.1|\bselect \w|\binsert into\b|\bpg[_-]|PGlite|node:|\[object /;

/** Returns the message of a refusal. */
function readMessage({ status, text, json }: ShopResponse): string {
  const message: unknown = json?.message;
  if (
    typeof message !== 'string' ||
    json.success !== false ||
    !/^\p{Lu}.*\s/u.test(message) ||
    internalDetailsPattern.test(text)
  )
    throw new Error(`${status} is not said in words: ${text}`);
  if (json.code === 'unexpected') throw new Error(`a fault the shop does not know: ${text}`);
  return message;
}

/** Repeats all of these actions in parallel until the returned function is called. */
export function repeatUntilStopped(acts: readonly (() => Promise<unknown>)[], pauseMs = 20): () => Promise<void> {
  const stopController = new AbortController();
  const actLoops = acts.map(async (act) => {
    do {
      await act();
      await sleep(pauseMs);
    } while (!stopController.signal.aborted);
  });
  const allLoops = Promise.all(actLoops);
  allLoops.catch(() => {}); // errors are handled at the end
  return async () => {
    stopController.abort();
    await allLoops;
  };
}
