/** Runs every fault at full length, for `npm run faults`. */
import { beforeAll, expect, inject, test } from 'vitest';
import { build } from '../../scripts/build.ts';
import { createSeededRandom, type Scenario, type ScenarioResult } from './scenario.ts';
import { bucketFaultScenario, bucketFull, bucketListing } from './scenarios/bucket.ts';
import { clockJumpScenario, webhooksLate } from './scenarios/clock.ts';
import { cutTransactions } from './scenarios/cut-transactions.ts';
import {
  databaseConnectionsExhausted,
  databaseFailoverScenario,
  databaseReadOnly,
  databaseRestarted,
  databaseSlow,
} from './scenarios/database-faults.ts';
import { diskFull } from './scenarios/disk-full.ts';
import { killDuringBackup, killMigrating } from './scenarios/kill-migration-and-backup.ts';
import { repeatedKillScenario } from './scenarios/kill.ts';
import { mailServerFaultScenario } from './scenarios/mail.ts';
import { stripeFaultScenario } from './scenarios/stripe.ts';
import { duplicateRequestsScenario } from './scenarios/duplicate-requests.ts';
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
  repeatedKillScenario,
  killMigrating,
  killDuringBackup,
  cutTransactions,
  databaseRestarted,
  databaseFailoverScenario,
  databaseReadOnly,
  databaseConnectionsExhausted,
  databaseSlow,
  bucketFaultScenario,
  bucketFull,
  bucketListing,
  mailServerFaultScenario,
  stripeFaultScenario,
  webhooksLate,
  clockJumpScenario,
  diskFull,
  duplicateRequestsScenario,
  twoReleases,
];

const { seed, only } = inject('faults');
const selectedScenarios = scenarios.filter((it) => only === undefined || it.name === only);
if (selectedScenarios.length === 0)
  throw new Error(`there is no fault ${only}; there are ${scenarios.map((it) => it.name).join(', ')}`);

beforeAll(() => build(), 600_000);

for (const { name, engines, ...scenario } of selectedScenarios)
  for (const engine of engines)
    test.skipIf((engine === 'postgres' && !inject('postgresUrl')) || scenario.isPossible?.(engine) === false)(
      `${name} ${engine}`,
      { timeout: 1_800_000 },
      async ({ task }) => {
        const scenarioResult = await scenario.run({ engine, random: createSeededRandom(seed), isShort: false });
        task.meta.seen = scenarioResult;
        expect(scenarioResult.lost).toBe(0);
      },
    );
