import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import pino from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { recordBackup } from '#shop/backups/backups.ts';
import { createDatabase, describeOnEachEngine, describeOnPostgres, executeOneStatement } from '#test/database.ts';
import { fakeAnimator } from '#test/fake-animator.ts';
import { createTemporaryFolder } from '#test/faults/installation.ts';
import { startPayment } from '#test/paying.ts';
import { buyFramesAsAnna, buyAndVerify, uploadTo } from '#test/people.ts';
import { createFaultyProvider } from '#test/provider.ts';
import { emptyPhotoAnalyzer, createPhotoAnalysis } from '#test/photo-analysis.ts';
import { openTestShop, type TestShop } from '#test/shop.ts';
import { readConfig } from './config.ts';
import { inProcessHeader, inProcessKey } from './http/common/in-process.ts';
import { startJobs } from './jobs/jobs.ts';
import { createMetricsReader } from './metrics.ts';
import { projectFolder } from './project-folder.ts';
import { openShop } from './shop.ts';

/** Reads /metrics. Returns the value of each sample by its name and labels. */
async function scrapeMetrics(it: TestShop): Promise<Map<string, number>> {
  const { status, text } = await it.browser().get('/metrics');
  expect(status).toBe(200);
  return samplesOf(text);
}
function samplesOf(text: string): Map<string, number> {
  const sampleLines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(sampleLines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
}

describeOnEachEngine((fresh) => {
  test('exposes metrics of mails, payments, backups and jobs, and updates them when the shop works', async () => {
    const testShop = await openTestShop(fresh, {
      seeing: { ...emptyPhotoAnalyzer, version: async () => 'test', analyzePhoto: async () => createPhotoAnalysis() },
    });
    const metricsBefore = await scrapeMetrics(testShop);
    expect(metricsBefore.get('database_up')).toBe(1);
    expect(metricsBefore.get('mails_waiting')).toBe(0);
    expect(metricsBefore.get('queue_jobs_waiting{job="send-mail"}')).toBe(0);
    expect(metricsBefore.get('queue_jobs_failed{job="send-mail"}')).toBe(0);
    expect(metricsBefore.get('payments_unsettled{state="open"}')).toBe(0);
    expect(metricsBefore.get('payments_unsettled{state="mismatched"}')).toBe(0);
    expect(metricsBefore.get('backup_taken_timestamp_seconds')).toBe(0);
    expect(metricsBefore.get('storage_errors_total')).toBe(0);
    expect(metricsBefore.get('database_errors_total')).toBe(0);

    await startPayment(testShop.browser());
    const { browser, frames } = await buyFramesAsAnna(testShop);
    const { deviceId } = frames[0]!;
    await uploadTo(browser, deviceId);
    await browser.post('/api/uploads/finalize', { deviceId });
    await recordBackup(testShop.shop, { takenAt: new Date('2026-05-01T03:00:00Z'), files: 3, sizeBytes: 9 });
    testShop.clock.advance(60_000);
    const metricsOfBusyShop = await scrapeMetrics(testShop);
    expect(metricsOfBusyShop.get('mails_waiting')).toBeGreaterThan(0);
    expect(metricsOfBusyShop.get('mails_oldest_seconds')).toBeGreaterThanOrEqual(60);
    expect(metricsOfBusyShop.get('queue_jobs_waiting{job="send-mail"}')).toBe(metricsOfBusyShop.get('mails_waiting'));
    expect(metricsOfBusyShop.get('queue_jobs_waiting{job="render-video"}')).toBe(1);
    expect(metricsOfBusyShop.get('queue_oldest_seconds{job="render-video"}')).toBeGreaterThanOrEqual(60);
    expect(metricsOfBusyShop.get('payments_unsettled{state="open"}')).toBe(1);
    expect(metricsOfBusyShop.get('backup_taken_timestamp_seconds')).toBe(Date.UTC(2026, 4, 1, 3) / 1000);

    await startJobs(testShop.shop);
    await vi.waitFor(
      async () => {
        const metricsAfter = await scrapeMetrics(testShop);
        expect(metricsAfter.get('mails_waiting')).toBe(0);
        expect(metricsAfter.get('job_duration_seconds_count{job="send-mail",end="done"}')).toBeGreaterThan(0);
        const renderMetrics = [...metricsAfter].filter(([name]) =>
          name.startsWith('render_duration_seconds_count{style="'),
        );
        expect(renderMetrics.map(([, count]) => count)).toEqual([1]);
        expect(metricsAfter.get('seeing_duration_seconds_count{end="done"}')).toBe(1);
      },
      { timeout: 30_000, interval: 200 },
    );
  });

  test('counts storage errors but not missing files, and exposes no old values if the database is down', async () => {
    const testShop = await openTestShop(fresh);
    await expect(testShop.shop.storage.read('originals/none.jpg')).rejects.toThrow('no stored file');
    expect((await scrapeMetrics(testShop)).get('storage_errors_total')).toBe(0);
    await expect(testShop.shop.storage.withLocalFile('originals/none.jpg', async () => {})).rejects.toThrow(
      'no stored file',
    );
    const { storage } = testShop.shop;
    await storage.put('originals/one.jpg', Buffer.from('a photo'), 'image/jpeg');
    const rejectUse = () => Promise.reject(new Error('no use'));
    await expect(storage.withLocalFile('originals/one.jpg', rejectUse)).rejects.toThrow('no use');
    expect((await scrapeMetrics(testShop)).get('storage_errors_total')).toBe(0);
    const listOriginals = async () => {
      const keys: string[] = [];
      for await (const { key } of storage.list('originals/')) keys.push(key);
      return keys;
    };
    expect(await listOriginals()).toEqual(['originals/one.jpg']);
    storage.read = () => Promise.reject(new Error('no disk'));
    storage.withLocalFile = () => Promise.reject(new Error('no disk'));
    storage.list = async function* () {
      yield* [];
      throw new Error('no disk');
    };
    await expect(storage.read('originals/one.jpg')).rejects.toThrow('no disk');
    await expect(storage.withLocalFile('originals/one.jpg', rejectUse)).rejects.toThrow('no disk');
    await expect(listOriginals()).rejects.toThrow('no disk');
    testShop.shop.jobs.countWaiting = () => Promise.reject(new Error('no database'));
    const metricValues = await scrapeMetrics(testShop);
    expect(metricValues.get('storage_errors_total')).toBe(3);
    expect(metricValues.get('database_up')).toBe(0);
    for (const name of metricValues.keys()) expect(name).not.toMatch(/^(queue_|mails_|payments_|backup_)/);
  });

  test('counts mismatched payments and jobs that failed finally', async () => {
    const { provider } = createFaultyProvider((real) => ({
      getIntent: async (id) => {
        const intent = await real.getIntent(id);
        return intent && { ...intent, currency: 'cad' };
      },
    }));
    const testShop = await openTestShop(fresh, { provider });
    const browser = testShop.browser();
    await startPayment(browser);
    await buyAndVerify(browser);
    await testShop.shop.db.execute(
      sql`update jobs.job set state = 'failed', completed_on = now() where name = 'send-mail'`,
    );
    await vi.waitFor(
      async () => {
        const metricValues = await scrapeMetrics(testShop);
        expect(metricValues.get('payments_unsettled{state="mismatched"}')).toBe(1);
        expect(metricValues.get('queue_jobs_failed{job="send-mail"}')).toBeGreaterThan(0);
      },
      { timeout: 20_000, interval: 500 },
    );
  });

  test('does not count in-process API calls as HTTP requests', async () => {
    const testShop = await openTestShop(fresh);
    const readCount = async () =>
      (await scrapeMetrics(testShop)).get(
        'http_request_duration_seconds_count{method="GET",route="/api/user",status="200"}',
      );
    await testShop.browser().get('/api/user', { [inProcessHeader]: inProcessKey });
    expect(await readCount()).toBeUndefined();
    await testShop.browser().get('/api/user');
    expect(await readCount()).toBe(1);
  });

  test('documents every metric, and exposes every metric that the docs, alerts and dashboards name', async () => {
    const testShop = await openTestShop(fresh);
    const registeredNames = new Set(testShop.shop.metrics.registry.getMetricsAsArray().map((metric) => metric.name));
    const readProjectFile = (path: string) => readFileSync(join(projectFolder, path), 'utf8');
    const explainedNames = [...readProjectFile('docs/metrics.md').matchAll(/^\| `(\w+)/gm)].map((line) => line[1]!);
    const ownMetrics = [...registeredNames].filter((name) => !/^(process|nodejs)_/.test(name));
    expect(explainedNames.toSorted()).toEqual(ownMetrics.toSorted());
    for (const path of ['deploy/prometheus/alerts.yaml', 'deploy/grafana/kinframe.json']) {
      const names = [...readProjectFile(path).matchAll(/\b([a-z]+(?:_[a-z]+)+)(?=[{[]|\s*[<>=)]|"$)/gm)].map(
        (it) => it[1]!,
      );
      const watchedNames = names.filter((name) =>
        /^(http|job|render|seeing|queue|mails|payments|backup|storage|database)_/.test(name),
      );
      expect(watchedNames.length, path).toBeGreaterThan(5);
      expect(
        watchedNames.filter((name) => !registeredNames.has(name.replace(/_(bucket|count|sum)$/, ''))),
        path,
      ).toEqual([]);
    }
  });
});

describeOnPostgres(() => {
  test('counts errors of database connections, and the calls that wait for a connection', async () => {
    const url = await createDatabase();
    const dataDir = createTemporaryFolder();
    const config = readConfig({ DATABASE_URL: url.href, DATABASE_POOL: '2', DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    const shop = await openShop(config, pino({ level: 'silent' }), {
      animator: fakeAnimator,
      seeing: emptyPhotoAnalyzer,
    });
    onTestFinished(() => shop.close());
    const metricsReader = createMetricsReader(shop);
    const readSamples = async () => samplesOf(await metricsReader());
    expect((await readSamples()).get('database_errors_total')).toBe(0);
    expect((await readSamples()).get('database_connections{state="waiting"}')).toBe(0);

    const finishedPromise = Promise.withResolvers<void>();
    const openTransactions = Array.from({ length: 3 }, () => shop.db.transaction(() => finishedPromise.promise));
    await expect.poll(() => shop.database.connections!()).toMatchObject({ used: 2, waiting: 1 });
    const metricsWithWaitingCalls = readSamples();
    finishedPromise.resolve();
    await Promise.all(openTransactions);
    expect((await metricsWithWaitingCalls).get('database_connections{state="waiting"}')).toBe(1);

    await executeOneStatement(
      url.href,
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await vi.waitFor(async () => expect((await readSamples()).get('database_errors_total')).toBeGreaterThan(0), {
      timeout: 20_000,
      interval: 200,
    });
  });
});
