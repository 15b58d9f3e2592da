import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../shop.ts';

export type Engine = 'embedded' | 'postgres';

/** A fault that is done to a shop while people use it. */
export interface Scenario {
  /** What `npm run faults -- --only` calls it. */
  name: string;
  engines: readonly Engine[];
  /** Whether this machine lets it be done; anywhere unless said. */
  isPossible?: (engine: Engine) => boolean;
  /** @param isShort the selection that `npm test` runs. Throws where a promise was broken that no count tells of. */
  run(how: { engine: Engine; random: Random; isShort: boolean }): Promise<Seen>;
}

export interface Seen {
  /** What was done, with its figures. */
  done: string;
  /** What was asked of the shop, how much of it the shop said yes to, and how much is there in the end. */
  tried: number;
  acknowledged: number;
  present: number;
  /** Acknowledged, and not there. */
  lost: number;
  /** What people read meanwhile instead of a yes. */
  words: string[];
}

/** Numbers that are the same for the same seed. */
export type Random = ReturnType<typeof seeded>;
export function seeded(seed: number) {
  let state = seed >>> 0;
  /** From 0 to 1 (mulberry32). */
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    /** A whole number from 0 to before `end`. */
    below,
    oneOf: <T>(list: readonly T[]): T => list[below(list.length)]!,
    shuffled: <T>(list: readonly T[]): T[] =>
      list
        .map((it) => ({ it, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ it }) => it),
  };
}

/** What was asked of a shop in trouble, and what it said. */
export class Ledger {
  tried = 0;
  /** How often it said yes, to whatever. */
  yeses = 0;
  /** `order:pi_…`, `photo:…`: each said yes to. */
  readonly acknowledged = new Set<string>();
  readonly #words = new Set<string>();
  readonly #maybeSilent: boolean;

  /** @param maybeSilent no answer at all is part of the fault: the process is killed. */
  constructor({ maybeSilent = false } = {}) {
    this.#maybeSilent = maybeSilent;
  }

  /** Ask the shop. Answers its yes; a no must be words, and nothing is said of what went wrong within. */
  async ask(asking: Promise<Answer>): Promise<Answer | undefined> {
    let answer: Answer;
    try {
      answer = await asking;
    } catch (error) {
      if (this.#maybeSilent) return undefined;
      throw error;
    }
    if (answer.status < 300) {
      this.yeses += 1;
      return answer;
    }
    this.#words.add(wordsOf(answer));
    return undefined;
  }
  /** The same, of something that is counted: `name` says what is there once the shop has said yes. */
  async try(asking: Promise<Answer>, name: (yes: Answer) => string | undefined): Promise<Answer | undefined> {
    this.tried += 1;
    const yes = await this.ask(asking);
    const what = yes && name(yes);
    if (what !== undefined) this.acknowledged.add(what);
    return yes;
  }

  /** What it read instead of a yes. */
  get words(): string[] {
    return [...this.#words].toSorted((a, b) => a.localeCompare(b));
  }
  missing(present: Iterable<string>): string[] {
    const there = new Set(present);
    return [...this.acknowledged].filter((it) => !there.has(it));
  }
  /** @param present all that is there, acknowledged or not. */
  seen(done: string, present: Iterable<string>): Seen {
    const all = [...present];
    return {
      done,
      tried: this.tried,
      acknowledged: this.acknowledged.size,
      present: all.length,
      lost: this.missing(all).length,
      words: this.words,
    };
  }
}

const ofMachines = /\n\s+at |\bE[A-Z]{5,}\b|127\.0\.0\.1|\bselect \w|\binsert into\b|\bpg[_-]|PGlite|node:|\[object /;

/** What a refused call says to whoever made it. */
function wordsOf({ status, text, json }: Answer): string {
  const words: unknown = json?.message;
  if (typeof words !== 'string' || json.success !== false || !/^\p{Lu}.*\s/u.test(words) || ofMachines.test(text))
    throw new Error(`${status} is not said in words: ${text}`);
  if (json.code === 'unexpected') throw new Error(`a fault the shop does not know: ${text}`);
  return words;
}

/** All of these at once, again and again, until it is told to end. */
export function keepOn(acts: readonly (() => Promise<unknown>)[], pauseMs = 20): () => Promise<void> {
  const over = new AbortController();
  const loops = acts.map(async (act) => {
    do {
      await act();
      await sleep(pauseMs);
    } while (!over.signal.aborted);
  });
  const all = Promise.all(loops);
  all.catch(() => {}); // looked at in the end
  return async () => {
    over.abort();
    await all;
  };
}
