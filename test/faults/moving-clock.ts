import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { freshFolder, type Place } from './place.ts';

/** The clock of a shop's machine, which a test can set. */
export class MovingClock {
  readonly #file = join(freshFolder(), 'ahead');
  constructor() {
    writeFileSync(this.#file, '0');
  }
  /** Of a shop that goes by it. */
  get settings(): Record<string, string> {
    const loaded = new URL('./moving-clock.mjs', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${loaded}`, CLOCK_AHEAD: this.#file };
  }
  /** Before the right time where it is less than nothing. */
  async setAhead({ shop }: Place, ms: number): Promise<void> {
    writeFileSync(this.#file, String(ms));
    const { length } = shop.output;
    shop.child.kill('SIGUSR2');
    await vi.waitUntil(() => shop.output.slice(length).includes(`ahead by ${ms} ms`), { timeout: 10_000 });
  }
}
