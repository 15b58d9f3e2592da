import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { seedOrders } from '../bench/seed-orders.ts';
import { openDatabase, type JobHandler } from '#adapters/database/database.ts';
import { api } from '#contract/api.ts';
import { startJobs } from '#server/jobs/jobs.ts';
import type { JobName } from '#shop/ports/jobs.ts';
import { createDatabase, describeOnPostgres } from './database.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { adminPassword, openTestShop, type TestShop } from './shop.ts';

interface LoggedQuery {
  text: string;
  values: unknown[];
}
/** Opens a shop that records every statement it sends, and a separate connection to its database. */
async function openNotedShop() {
  const url = (await createDatabase()).href;
  const loggedQueries = new Map<string, LoggedQuery>();
  const testShop = await openTestShop(async () => {
    const observeStatement = (text: string, values: unknown[]) => void loggedQueries.set(text, { text, values });
    const database = await openDatabase({ url, dataDir: '', migrationsFolder, observeStatement });
    onTestFinished(() => database.close());
    return database;
  });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return { test: testShop, loggedQueries, client };
}

/** Requests the panel's lists and their pages so that every different statement is sent at least once. */
async function readLists(test: TestShop): Promise<void> {
  const browser = test.browser();
  await browser.post('/api/admin/auth/password', { password: adminPassword });
  const getUrl = async (url: string) => {
    const response = await browser.get(url);
    expect(response.status, `${url}: ${response.text.slice(0, 200)}`).toBe(200);
    return response.json;
  };
  for (const [route, { query }] of Object.entries(api as Record<string, { query?: unknown }>)) {
    const [, list] = /^GET (\/api\/admin\/lists\/.+)$/.exec(route) ?? [];
    if (!list) continue;
    // Every sort and filter that the contract allows.
    const { shape } = query as { shape: Record<'sort' | 'filter', { unwrap(): { options: string[] } }> };
    const { sort, filter } = shape;
    const listQueries = [
      ...sort.unwrap().options.map((it) => `sort=${it}`),
      ...filter.unwrap().options.map((it) => `filter=${it}`),
      ...('q' in shape ? ['q=jose+miller', 'q=customer4711@'] : ['person=owner']),
    ];
    for (const listQuery of listQueries) {
      const page = await getUrl(`${list}?${listQuery}`);
      if (page.next) await getUrl(`${list}?${listQuery}&after=${page.next}`);
    }
  }
  const { rows } = await getUrl('/api/admin/lists/orders');
  await getUrl(`/api/admin/orders/${rows[0].id}`);
  await getUrl(`/api/admin/orders/${rows[0].id}/margin`);
  await getUrl(`/api/admin/orders/${rows[0].id}/cancellation`);
  await getUrl(`/api/admin/uploads?orderId=${rows[0].id}`);
  await getUrl(`/api/admin/devices?orderId=${rows[0].id}`);
  await getUrl(`/api/admin/mails?orderId=${rows[0].id}`);
  const { rows: people } = await getUrl('/api/admin/lists/customers');
  await getUrl(`/api/admin/customers/${people[0].id}`);
  for (const statsName of ['stats', 'day-sheet', 'payment-problems', 'promotion-uses'])
    await getUrl(`/api/admin/${statsName}`);
  for (const analyticsName of ['page-views', 'page-views?range=12m', 'days?range=7d', 'days?range=12m', 'margins'])
    await getUrl(`/api/analytics/${analyticsName}`);
  for (const listName of ['orders?sort=-total&filter=pending', 'customers?filter=no-order', 'users', 'support-tickets'])
    await getUrl(`/api/admin/lists/${listName.replace(/\?|$/, (it) => `.csv${it}`)}`);
}

/** Runs every scheduled job once. */
async function runSchedule({ shop }: TestShop): Promise<string[]> {
  const handlers = new Map<JobName, JobHandler<JobName>>();
  const scheduled: JobName[] = [];
  const jobs = {
    ...shop.database.jobs,
    startWorkers: async (name: JobName, handler: unknown) => void handlers.set(name, handler as JobHandler<JobName>),
    schedule: async (name: JobName) => void scheduled.push(name),
  };
  await startJobs({ ...shop, database: { ...shop.database, jobs: jobs as typeof shop.database.jobs } });
  const jobAttempt = { signal: new AbortController().signal, isLastTry: false };
  for (const name of scheduled) await handlers.get(name)!({}, jobAttempt);
  return scheduled;
}

describeOnPostgres(() => {
  test('no list and no scheduled job does a sequential scan of a big table', { timeout: 600_000 }, async () => {
    const { test: it, loggedQueries, client } = await openNotedShop();
    // One photo each is enough, because only the choice of index matters. There are enough orders that a sequential
    // scan costs more than an index, even with an inaccurate row estimate for a common name.
    await seedOrders(drizzle(client), { orders: 100_000, photos: 1 });
    // Read every row for the statistics: a random sample makes the plans differ from run to run.
    await client.query('set default_statistics_target = 1000');
    await client.query('vacuum analyze');
    const { rows: big } = await client.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and reltuples > 10000`,
    );
    const bigTables = new Set(big.map(({ name }) => name));
    expect([...bigTables]).toEqual(expect.arrayContaining(tablesThatGrow));
    loggedQueries.clear();
    await readLists(it);
    expect(await runSchedule(it)).toContain('sweep-files');

    await client.query('set plan_cache_mode = force_generic_plan');
    const scans: string[] = [];
    for (const { text, values } of loggedQueries.values()) {
      if (!/^\s*(select|with|insert|update|delete)\b/i.test(text)) continue;
      for (const plan of await explainPlans(client, text, values))
        for (const table of findScannedTables(plan)) if (bigTables.has(table)) scans.push(`${table}: ${text}`);
    }
    expect(scans).toEqual([]);
    expect(loggedQueries.size).toBeGreaterThan(50);
  });
});

const tablesThatGrow = (
  'orders order_events frames uploads videos production_orders customers people mails tokens ' +
  'checkouts carts payments payment_events page_views'
).split(' ');

/**
 * Returns the plan for these values. Also returns the generic plan, if PostgreSQL would switch to it because it is not
 * more expensive.
 */
async function explainPlans(client: pg.Client, text: string, values: unknown[]): Promise<Plan[]> {
  const explainPlan = async (statement: string, given?: unknown[]) => {
    const { rows } = await client.query(`explain (format json) ${statement}`, given);
    return (rows[0] as { 'QUERY PLAN': { Plan: Plan }[] })['QUERY PLAN'][0]!.Plan;
  };
  const customPlan = await explainPlan(text, values);
  if (values.length === 0) return [customPlan];
  await client.query(`prepare any_values as ${text}`);
  const generic = await explainPlan(`execute any_values (${values.map(() => 'null').join(', ')})`);
  await client.query('deallocate any_values');
  const planningCost = 20;
  return generic['Total Cost'] < customPlan['Total Cost'] + planningCost && !text.includes('search_pattern(')
    ? [customPlan, generic]
    : [customPlan];
}

interface Plan {
  'Total Cost': number;
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}
const findScannedTables = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name']!] : []),
  ...(plan.Plans ?? []).flatMap(findScannedTables),
];
