import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { vi } from 'vitest';
import { createTemporaryFolder, type ShopInstallation } from './installation.ts';

/** The clock of the shop's machine, which a test can set. */
export class ShiftedClock {
  readonly #file = join(createTemporaryFolder(), 'ahead');
  constructor() {
    writeFileSync(this.#file, '0');
  }
  /** Settings for a shop that uses this clock. */
  get settings(): Record<string, string> {
    const preloadUrl = new URL('./shifted-clock.mjs', import.meta.url).href;
    return { NODE_OPTIONS: `--import=${preloadUrl}`, CLOCK_AHEAD: this.#file };
  }
  /** A negative number moves the clock behind the correct time. */
  async setAhead({ shop }: ShopInstallation, ms: number): Promise<void> {
    writeFileSync(this.#file, String(ms));
    const { length } = shop.output;
    shop.child.kill('SIGUSR2');
    await vi.waitUntil(() => shop.output.slice(length).includes(`ahead by ${ms} ms`), { timeout: 10_000 });
  }
}
