/** Runs every fault at full length, for `npm run faults`. */
import { beforeAll, expect, inject, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { seeded, type Scenario, type ScenarioResult } from './scenario.ts';
import { bucket, bucketFull, bucketListing } from './scenarios/bucket.ts';
import { clock, webhooksLate } from './scenarios/clock.ts';
import { cutTransactions } from './scenarios/cut-transactions.ts';
import {
  databaseCrowded,
  databaseFailedOver,
  databaseReadOnly,
  databaseRestarted,
  databaseSlow,
} from './scenarios/database-unwell.ts';
import { diskFull } from './scenarios/disk-full.ts';
import { killDuringBackup, killMigrating } from './scenarios/kill-keeping.ts';
import { kill } from './scenarios/kill.ts';
import { mail } from './scenarios/mail.ts';
import { stripe } from './scenarios/stripe.ts';
import { twoOfEverything } from './scenarios/two-of-everything.ts';
import { twoReleases } from './scenarios/two-releases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    faults: { seed: number; only: string | undefined };
  }
  interface TaskMeta {
    seen?: ScenarioResult;
  }
}

const scenarios: Scenario[] = [
  kill,
  killMigrating,
  killDuringBackup,
  cutTransactions,
  databaseRestarted,
  databaseFailedOver,
  databaseReadOnly,
  databaseCrowded,
  databaseSlow,
  bucket,
  bucketFull,
  bucketListing,
  mail,
  stripe,
  webhooksLate,
  clock,
  diskFull,
  twoOfEverything,
  twoReleases,
];

const { seed, only } = inject('faults');
const selected = scenarios.filter((it) => only === undefined || it.name === only);
if (selected.length === 0)
  throw new Error(`there is no fault ${only}; there are ${scenarios.map((it) => it.name).join(', ')}`);

beforeAll(() => build(), 600_000);

for (const { name, engines, ...scenario } of selected)
  for (const engine of engines)
    test.skipIf((engine === 'postgres' && !inject('postgresUrl')) || scenario.isPossible?.(engine) === false)(
      `${name} ${engine}`,
      { timeout: 1_800_000 },
      async ({ task }) => {
        const seen = await scenario.run({ engine, random: seeded(seed), isShort: false });
        task.meta.seen = seen;
        expect(seen.lost).toBe(0);
      },
    );
