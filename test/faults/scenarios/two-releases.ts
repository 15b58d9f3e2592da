import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { runInheritingStdio } from '../../../scripts/run.ts';
import { projectFolder } from '#server/project-folder.ts';
import { createDatabase } from '../../database.ts';
import { annasPassword } from '../../people.ts';
import { Customers } from '../customers.ts';
import { createTemporaryFolder, ShopInstallation } from '../installation.ts';
import { repeatUntilStopped, RequestRecorder, type Scenario } from '../scenario.ts';
import { findMissingItems, namesWithDeleted, readStoredState } from '../stored-state.ts';

/**
 * The release before the last migration keeps running while the current release starts and migrates. Both serve
 * requests for a while on one PostgreSQL, as they do during a rolling restart. No request may be refused.
 */
export const twoReleases: Scenario = {
  name: 'two-releases',
  engines: ['postgres'],
  isPossible: () => findCommitBeforeMigration() !== undefined,
  async run() {
    const { commit, migration } = findCommitBeforeMigration()!;
    const previousReleaseFolder = await buildReleaseOf(commit);
    const url = await createDatabase({ isEmpty: true });
    const installation = await ShopInstallation.open('postgres', { url, release: previousReleaseFolder });
    const requestRecorder = new RequestRecorder();
    const customers = await Customers.prepare(installation.browser, requestRecorder);
    const createActsOf = (it: Customers) => [
      it.buy,
      it.lookAround,
      it.uploadAndTidyUp,
      createSignInAct(it, requestRecorder),
    ];
    const [one, two, three, four] = customers.frames;
    await customers.orderFilm(one!);
    const stopActivity = repeatUntilStopped(createActsOf(customers), 100);
    await sleep(5_000);
    const nextShop = await installation.startSecond({});
    const customersOfNextRelease = customers.onServer(nextShop.browser.bind(nextShop));
    const stopOnNextRelease = repeatUntilStopped(createActsOf(customersOfNextRelease), 100);
    await customers.orderFilm(two!);
    await customersOfNextRelease.orderFilm(three!);
    await sleep(30_000);
    // The old release stops, as in an upgrade, and the current one continues alone.
    await stopActivity();
    await customers.orderFilm(four!);
    expect(await installation.shop.end('SIGTERM'), installation.shop.output).toBe(0);
    await expect(installation.start()).rejects.toThrow(/belongs to a newer release of the shop/);
    await sleep(5_000);
    await stopOnNextRelease();
    await customersOfNextRelease.filmsMade();
    const storedState = await installation.pollUntilComplete(
      (db) => readStoredState(db, installation.files),
      (stored) => findMissingItems(requestRecorder, stored),
    );
    expect(await nextShop.end('SIGTERM'), nextShop.output).toBe(0);
    expect(requestRecorder.words).toEqual([]);
    return requestRecorder.createResult(
      `the release before migration ${migration} and the current one on one database; the current one started while the other worked`,
      namesWithDeleted(requestRecorder, storedState.names),
    );
  },
};

const createSignInAct = (it: Customers, requestRecorder: RequestRecorder) => async () => {
  const browser = it.newcomer();
  await requestRecorder.sendAndCheck(
    browser.post('/api/auth/login', { email: 'anna@example.com', password: annasPassword }),
  );
  await requestRecorder.sendAndCheck(browser.get('/api/frame-photo-limits'));
};

const runGit = (...words: string[]) =>
  execFileSync('git', words, { cwd: projectFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * Returns the last commit without the newest migration. Undefined if this is not a clone, or a clone without that
 * commit.
 */
function findCommitBeforeMigration(): { commit: string; migration: string } | undefined {
  try {
    const migration = runGit('ls-files', 'db/migrations/*.sql').split('\n').at(-1)!;
    const addingCommit = runGit('log', '--diff-filter=A', '-1', '--format=%H', '--', migration);
    const commit = runGit('rev-parse', '--verify', `${addingCommit}^`);
    return { commit, migration: /(\d+)_/.exec(migration)![1]! };
  } catch {
    process.stdout.write('two-releases: the history of this clone has no commit before the newest migration\n');
    return undefined;
  }
}

/** Builds the code of that commit, with its own packages if they differ from the current ones. Returns its folder. */
async function buildReleaseOf(commit: string): Promise<string> {
  const folder = createTemporaryFolder();
  const archive = execFileSync('git', ['archive', commit], { cwd: projectFolder, maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  if (runGit('diff', '--name-only', commit, '--', 'package-lock.json') === '')
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  else await runInheritingStdio('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
  await runInheritingStdio(process.execPath, [join(folder, 'scripts/build.ts')], { cwd: folder });
  return folder;
}
