import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { startPostgres } from '../test/postgres.ts';
import {
  readCpuSeconds,
  sumCpuSecondsOfProcessTree,
  resetPeakMegabytes,
  readParentPid,
  readPeakMegabytes,
} from './measure.ts';
import { signInOwner, type OwnerClient } from './owner.ts';
import { seedOrders } from './seed-orders.ts';
import { startShop, type ShopProcess } from './shop-process.ts';

export interface ListTimes {
  p95Ms: number;
  /** CPU time of the shop's process and all PostgreSQL processes, per response. */
  cpuMs: number;
}
/** The results for one shop: the times of each request, and the memory for the spreadsheet of all orders. */
export interface ListMeasurements {
  times: Record<string, ListTimes>;
  /** Memory growth of the shop's process during the export. */
  grownMegabytes: number;
}

/**
 * How often each request is sent, in alternating turns over all shops and requests. A shop that has just started
 * responds three times slower until its code is compiled, and other load on the machine must not affect only one
 * request or one shop. CPU time is measured in separate turns, one shop at a time, because the shops share the
 * PostgreSQL processes. Timed pages are only as long as the smallest shop can fill them, because the comparison is
 * about the size of the shop and not of the response. For CPU time, pages have full length.
 */
const concurrency = 60;
const repetitions = { warming: 3, timed: 5, counted: 3 };

/** Sends each request of the admin panel to shops of these sizes on one PostgreSQL, one after the other. */
export async function timeLists(sizes: { orders: number; photos: number }[]): Promise<ListMeasurements[]> {
  const cluster = await startPostgres({ durable: true });
  if (!cluster) throw new Error('The lists are measured on PostgreSQL, and none is installed.');
  const client = new pg.Client({ connectionString: cluster.url });
  const shops: SeededShop[] = [];
  try {
    await client.connect();
    for (const size of sizes) shops.push(await openSeededShop(client, cluster.url, size));
    // Turn off autovacuum: background work after seeding must not be counted for a response.
    await client.query('alter system set autovacuum = off');
    await client.query('select pg_reload_conf()');
    await client.query('checkpoint');
    const { rows } = await client.query<{ ours: number }>('select pg_backend_pid() as ours');
    const times = await timeAllLists(shops, readParentPid(rows[0]!.ours));
    const allListMeasurements: ListMeasurements[] = [];
    for (const [at, { ask, shop, orders }] of shops.entries())
      allListMeasurements.push({
        times: times[at]!,
        grownMegabytes: await measureMemoryGrowthOfExport(ask, shop.pid, orders),
      });
    return allListMeasurements;
  } finally {
    for (const { shop } of shops) await shop.close();
    await client.end();
    await cluster.stop();
  }
}

interface SeededShop {
  orders: number;
  shop: ShopProcess;
  ask: OwnerClient['request'];
}

async function openSeededShop(adminClient: pg.Client, clusterUrl: string, size: { orders: number; photos: number }) {
  const url = new URL(clusterUrl);
  url.pathname = `/lists_${size.orders}`;
  await adminClient.query(`create database lists_${size.orders}`);
  const shop = await startShop({ DATABASE_URL: url.href });
  const client = new pg.Client({ connectionString: url.href });
  try {
    await client.connect();
    await seedOrders(drizzle(client), size);
    await client.query('vacuum analyze');
    return { orders: size.orders, shop, ask: (await signInOwner(shop.origin)).request };
  } catch (error) {
    await shop.close();
    throw error;
  } finally {
    await client.end();
  }
}

/**
 * Returns the times of each request in each shop: the 95th percentile of all timed responses, and the CPU time of one
 * response.
 */
async function timeAllLists(shops: SeededShop[], postmaster: number): Promise<ListMeasurements['times'][]> {
  const clients = await Promise.all(
    shops.map(async ({ orders, shop, ask }) => {
      const get: Get = async (path) => (await (await ask(path)).json()) as Awaited<ReturnType<Get>>;
      return { shop, get, questions: await listRequestsOf(get, orders) };
    }),
  );
  const requestNames = Object.keys(clients[0]!.questions);
  const rowCountByRequest = new Map<string, number>();
  for (const requestName of requestNames)
    rowCountByRequest.set(requestName, (await clients[0]!.get(clients[0]!.questions[requestName]!)).rows?.length || 1);
  const createPathWithLimit = (name: string, question: string) => {
    const url = new URL(question, shops[0]!.shop.origin);
    if (url.pathname.startsWith('/api/admin/lists/'))
      url.searchParams.set('limit', String(rowCountByRequest.get(name)!));
    return url.pathname + url.search;
  };
  const measurements = clients.map(
    () => new Map(requestNames.map((name) => [name, { ms: [] as number[], cpuSeconds: 0 }])),
  );
  for (let turn = -repetitions.warming; turn < repetitions.timed; turn++)
    for (const requestName of requestNames)
      for (let at = 0; at < concurrency; at++)
        for (const [which, { get, questions }] of clients.entries()) {
          const startedAt = performance.now();
          await get(createPathWithLimit(requestName, questions[requestName]!));
          if (turn >= 0) measurements[which]!.get(requestName)!.ms.push(performance.now() - startedAt);
        }
  for (let turn = 0; turn < repetitions.counted; turn++)
    for (const requestName of requestNames)
      for (const [which, { shop, get, questions }] of clients.entries()) {
        const readTotalCpuSeconds = () => readCpuSeconds(shop.pid) + sumCpuSecondsOfProcessTree(postmaster);
        const cpuBefore = readTotalCpuSeconds();
        for (let at = 0; at < concurrency; at++) await get(questions[requestName]!);
        measurements[which]!.get(requestName)!.cpuSeconds += readTotalCpuSeconds() - cpuBefore;
      }
  return measurements.map((of) =>
    Object.fromEntries(
      [...of].map(([name, { ms, cpuSeconds }]) => [
        name,
        {
          p95Ms: ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.95)]!,
          cpuMs: (cpuSeconds / (repetitions.counted * concurrency)) * 1000,
        },
      ]),
    ),
  );
}

type Get = (path: string) => Promise<{ rows?: { orderNumber: string }[]; next: string | null }>;

async function listRequestsOf(get: Get, orders: number): Promise<Record<string, string>> {
  const ordersListPath = '/api/admin/lists/orders';
  // Go to the middle of the list, but at most to the 100,000th order.
  const pageSize = Math.min(1000, orders / 4);
  let page = await get(`${ordersListPath}?limit=${pageSize}`);
  for (let at = pageSize; at < Math.min(orders / 2, 100_000); at += pageSize)
    page = await get(`${ordersListPath}?limit=${pageSize}&after=${page.next}`);
  // Customers whose number is a multiple of 20 have an account in each of the compared shops.
  const customerQuery = `customer${20 * Math.round(orders * 0.0191)}@example`;
  const orderNumberDigits = page.rows![0]!.orderNumber.slice(3);
  return {
    'first page': ordersListPath,
    'a page deep in the list': `${ordersListPath}?after=${page.next}`,
    'search by number': `${ordersListPath}?q=${orderNumberDigits}`,
    'search by e-mail': `${ordersListPath}?q=${customerQuery}`,
    'search by name': `${ordersListPath}?q=zoe`,
    'first page by filter': `${ordersListPath}?filter=processing`,
    stats: '/api/admin/stats',
    'page views of 12 months': '/api/analytics/page-views?range=12m',
    'all page views': '/api/analytics/page-views',
    'figures of 12 months by day': '/api/analytics/days?range=12m',
    'what 12 months leave': '/api/analytics/margins',
    production: '/api/admin/lists/production-orders?limit=20',
    customers: '/api/admin/lists/customers',
    'customers by name': '/api/admin/lists/customers?q=zoe',
    users: '/api/admin/lists/users',
    'users by e-mail': `/api/admin/lists/users?q=${customerQuery}`,
    frames: '/api/admin/lists/frames',
    'frames by number': `/api/admin/lists/frames?q=${orderNumberDigits}`,
    tickets: '/api/admin/lists/support-tickets',
    'tickets by name': '/api/admin/lists/support-tickets?q=zoe',
    'open tickets': '/api/admin/lists/support-tickets?filter=open',
    uploads: '/api/admin/lists/uploads',
    'orders as an array': '/api/admin/orders?limit=50',
    'production as an array': '/api/admin/production-orders?limit=50',
    'uploads as an array': '/api/admin/uploads?limit=50',
  };
}

async function measureMemoryGrowthOfExport(ask: OwnerClient['request'], pid: number, orders: number): Promise<number> {
  const peakBefore = resetPeakMegabytes(pid);
  const response = await ask('/api/admin/lists/orders.csv');
  let lineCount = 0;
  for await (const chunk of response.body!) for (const byte of chunk) if (byte === 10) lineCount++;
  if (lineCount < orders + 1) throw new Error(`the spreadsheet of ${orders} orders has ${lineCount} lines`);
  return readPeakMegabytes(pid) - peakBefore;
}
