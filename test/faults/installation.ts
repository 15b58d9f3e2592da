import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import type { Db } from '#shop/ports/database.ts';
import { createDirectoryStorage } from '#adapters/storage/directory.ts';
import { createMigratedDataFolder, createDatabase } from '../database.ts';
import { findFreePort } from '../free-port.ts';
import { RunningShop } from './running-shop.ts';
import type { Engine } from './scenario.ts';

export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kinframe-faults-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A shop that can be stopped and started again at the same address with the same data. */
export class ShopInstallation {
  readonly engine: Engine;
  readonly dataDir: string;
  /** The address of PostgreSQL itself, bypassing any proxy between it and the shop. */
  readonly databaseUrl: string | undefined;
  readonly #settings: Record<string, string>;
  readonly #port: number;
  readonly #release: string | undefined;
  shop!: RunningShop;

  /**
   * Starts a shop on an empty database: a new one, or the one at `url`. The settings may connect the shop through a
   * proxy. `release` is the folder of a different release.
   */
  static async open(
    engine: Engine,
    {
      url,
      dataDir = engine === 'embedded' ? createMigratedDataFolder(createTemporaryFolder()) : createTemporaryFolder(),
      settings = {},
      release,
    }: { url?: URL; dataDir?: string; settings?: Record<string, string>; release?: string } = {},
  ): Promise<ShopInstallation> {
    const databaseUrl = engine === 'postgres' ? (url ?? (await createDatabase())).href : undefined;
    const allPaths = {
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
      ...settings,
    };
    const installation = new ShopInstallation(engine, dataDir, databaseUrl, await findFreePort(), allPaths, release);
    onTestFinished(() => installation.kill());
    await installation.start();
    return installation;
  }
  private constructor(
    engine: Engine,
    dataDir: string,
    databaseUrl: string | undefined,
    port: number,
    settings: Record<string, string>,
    release: string | undefined,
  ) {
    this.engine = engine;
    this.dataDir = dataDir;
    this.databaseUrl = databaseUrl;
    this.#port = port;
    this.#settings = settings;
    this.#release = release;
  }

  async start(): Promise<void> {
    this.shop = await RunningShop.start(this.dataDir, this.#settings, this.#port, this.#release);
    await this.shop.waitUntilReady();
  }
  /** Starts another process of the same shop on the same machine. */
  async startSecond(settings: Record<string, string>): Promise<RunningShop> {
    const otherShop = await RunningShop.start(this.dataDir, { ...this.#settings, ...settings });
    onTestFinished(() => void otherShop.end('SIGKILL'));
    return otherShop.waitUntilReady();
  }
  async kill(): Promise<void> {
    await this.shop.end('SIGKILL');
  }
  browser = () => this.shop.browser();
  /** The file store of a shop that stores its files in its data folder. */
  get files() {
    return createDirectoryStorage(join(this.dataDir, 'files'));
  }

  /**
   * Reads the rows. The embedded engine serves only one process, so the shop is stopped first and then started again.
   */
  async readDatabase<T>(see: (db: Db) => Promise<T>): Promise<T> {
    const { engine, dataDir, databaseUrl: url } = this;
    if (engine === 'embedded') expect(await this.shop.end('SIGTERM'), this.shop.output).toBe(0);
    const database = await openDatabase({ url, dataDir, migrationsFolder, withJobs: false });
    try {
      return await see(database.db);
    } finally {
      await database.close();
      if (engine === 'embedded') await this.start();
    }
  }

  /** Reads repeatedly until nothing is missing. Returns the last result. Throws after five minutes. */
  async pollUntilComplete<T>(see: (db: Db) => Promise<T>, missing: (seen: T) => readonly string[]): Promise<T> {
    for (const deadline = Date.now() + 300_000; ;) {
      const seenState = await this.readDatabase(see);
      const stillMissing = missing(seenState);
      if (stillMissing.length === 0) return seenState;
      if (Date.now() > deadline)
        throw new Error(`after five minutes there is still missing: ${stillMissing.join(', ')}`);
      await sleep(this.engine === 'embedded' ? 5_000 : 500);
    }
  }
}
