/**
 * `npm run bench`: measures each part of the shop against a limit that is measured in the same run. Prints a table and
 * writes bench/results.json, which keeps the latest result of every part.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureBackup } from '../bench/backup.ts';
import { measurePages } from '../bench/first-load.ts';
import { scorePages } from '../bench/lighthouse.ts';
import { timeLists } from '../bench/lists.ts';
import { measureMotion } from '../bench/motion.ts';
import { measurePanel } from '../bench/panel.ts';
import { comparePages, type CachedPageName } from '../bench/pages.ts';
import { comparePaidOrdersByEngine } from '../bench/paid-orders.ts';
import { measurePhotoVideos, type VideoFigures } from '../bench/photo-films.ts';
import { measureStarts } from '../bench/starting.ts';
import { comparePurchases } from '../bench/trials.ts';
import { timeUploadPage } from '../bench/upload-page.ts';
import { compareUploads } from '../bench/uploads.ts';
import { compareVideos } from '../bench/videos.ts';
import { measureWholeOrders } from '../bench/whole-orders.ts';
import { compareWorkers } from '../bench/workers.ts';
import { motionStyles, type MotionStyle } from '#contract/motion.ts';
import { build } from './build.ts';

interface Row {
  name: string;
  /** The measured value, and the limit in the same unit. */
  value: number;
  limit: number;
  unit: string;
  ratio: number;
  /** Undefined if there is no target for the value. */
  target?: { atLeast?: number; atMost?: number };
  peakMegabytes?: number;
  /** The load average of the machine before this part of the bench began. */
  load: number;
}

const rows: Row[] = [];
let highestLoad = 0;
const addRow = (
  name: string,
  unit: string,
  value: number,
  limit: number,
  rest: Pick<Row, 'target' | 'peakMegabytes'> = {},
) => rows.push({ name, value, limit, unit, ratio: value / limit, ...rest, load: highestLoad });

/** Requests that the panel sends frequently. They may take 10 ms of CPU time each; other requests may take 15 ms. */
const requestedEveryMinute = new Set([
  'first page',
  'a page deep in the list',
  'search by number',
  'search by e-mail',
  'search by name',
  'first page by filter',
  'stats',
  'production',
]);

/** The parts of the bench. `npm run bench -- pages uploads` runs the named parts. Without names, all parts run. */
const parts: Record<string, () => Promise<void>> = {
  async pages() {
    const pages = await comparePages();
    const { cachedPages, peakMegabytes } = pages;
    addRow('home page, rendered', 'requests/CPU s', pages.rendered, cachedPages.home.ready, {
      target: { atLeast: 0.04 },
      peakMegabytes,
    });
    const leastSpeedup: Record<CachedPageName, number> = { home: 1.2, product: 1, gallery: 1 };
    for (const [name, { fromMemory, ready }] of Object.entries(cachedPages))
      addRow(`${name} page, from memory`, 'requests/CPU s', fromMemory, ready, {
        target: { atLeast: leastSpeedup[name as CachedPageName] },
        peakMegabytes,
      });
    addRow('slowest /health/live among 40 visitors of unknown pages', 'ms', pages.slowestHealthMs, 100, {
      target: { atMost: 1 },
    });
  },
  async weight() {
    const { scriptKilobytes, beforeTouchKilobytes, phoneKilobytes } = await measurePages();
    const target = { atMost: 1 };
    addRow('script of home before the first touch', 'KB gzip', beforeTouchKilobytes, 20, { target });
    for (const [path, kilobytes] of scriptKilobytes)
      addRow(`first-load JavaScript of ${path}`, 'KB gzip', kilobytes, 110, { target });
    addRow('home at 390 px before the hero video', 'KB', phoneKilobytes, 700, { target });
  },
  async lighthouse() {
    for (const { path, scores, lost, largestPaintMs, blockingMs, shift } of await scorePages()) {
      if (lost.length > 0) console.log(`${path}: ${lost.join(', ')}`);
      for (const [category, score] of Object.entries(scores))
        addRow(`${path} ${category}`, 'points', score, 100, { target: { atLeast: 1 } });
      addRow(`${path} largest paint`, 'ms', largestPaintMs, 1500, { target: { atMost: 1 } });
      addRow(`${path} blocking time`, 'ms', blockingMs, 50, { target: { atMost: 1 } });
      // Shifts below this limit are invisible and count as none.
      addRow(`${path} shift`, '', shift, 0.001, { target: { atMost: 1 } });
    }
  },
  async starts() {
    const mostAllowed = {
      PostgreSQL: { first: 1.2, later: 1.2, idle: 150 },
      embedded: { first: 6, later: 2, idle: 290 },
    };
    const target = { atMost: 1 };
    for (const [engine, { first, later, afterKillSeconds }] of Object.entries(await measureStarts())) {
      const limit = mostAllowed[engine as keyof typeof mostAllowed];
      addRow(`first start, ${engine}`, 'CPU s', first.cpuSeconds, limit.first, { target });
      addRow(`later start, ${engine}`, 'CPU s', later.cpuSeconds, limit.later, { target });
      addRow(`ready again after kill -9, ${engine}`, 's', afterKillSeconds, 5, { target });
      addRow(`at rest after its first start, ${engine}`, 'MB RSS', first.idleMegabytes, limit.idle, { target });
      addRow(`at rest after a later start, ${engine}`, 'MB RSS', later.idleMegabytes, limit.idle, { target });
    }
  },
  async 'whole-orders'() {
    const { web, worker, database } = await measureWholeOrders();
    const target = { atMost: 1 };
    addRow("an order's emails: its worker", 'ms CPU', worker, 8, { target });
    addRow('an order, emails sent: web and worker', 'ms CPU', web + worker, 25, { target });
    addRow('the same with their PostgreSQL', 'ms CPU', web + worker + database, 25);
  },
  async orders() {
    const leastAllowed = { PostgreSQL: 0.55, embedded: 0.4 };
    for (const [engine, orders] of Object.entries(await comparePaidOrdersByEngine())) {
      const { settledPerSecond, barePerSecond, withGiftCardPerSecond, medianMs, slowestHundredthMs, peakMegabytes } =
        orders;
      const target = { atLeast: leastAllowed[engine as keyof typeof leastAllowed] };
      addRow(`paid orders, ${engine}`, 'orders/s', settledPerSecond, barePerSecond, { target, peakMegabytes });
      // A ratio of 0.77 means that an order with a gift card takes 1.3 times as long as one without.
      addRow(`paid orders with a gift card, ${engine}`, 'orders/s', withGiftCardPerSecond, settledPerSecond, {
        target: { atLeast: 0.77 },
      });
      // The limit is the median, so the ratio shows how much longer the slowest of a hundred orders takes.
      addRow(`slowest of 100 orders, ${engine}`, 'ms', slowestHundredthMs, medianMs, { target: { atMost: 4 } });
    }
  },
  async trials() {
    const { withTrialsMs, withoutTrialsMs } = await comparePurchases();
    addRow('p95 of a purchase while ten trials wait', 'ms', withTrialsMs, withoutTrialsMs, { target: { atMost: 1.2 } });
  },
  async lists() {
    // The limit for the responses of a larger shop is the small shop's time. The largest shop has no photos, so the
    // lists of photos are measured in the middle one.
    const [small, middle, large] = await timeLists([
      { orders: 1000, photos: 3 },
      { orders: 100_000, photos: 3 },
      { orders: 1_000_000, photos: 0 },
    ]);
    for (const name of Object.keys(large!.times))
      for (const [shop, words] of [
        [large!, '1,000,000 orders'],
        [middle!, '100,000 orders with 300,000 photos'],
      ] as const) {
        const { p95Ms, cpuMs } = shop.times[name]!;
        const isOfPhotos = name.startsWith('uploads');
        const limit = requestedEveryMinute.has(name) ? 10 : 15;
        if (isOfPhotos === (shop === middle))
          addRow(`${name}, ${words}, p95`, 'ms', p95Ms, small!.times[name]!.p95Ms, { target: { atMost: 1.5 } });
        if (!isOfPhotos || shop === middle)
          addRow(`${name}, ${words}`, 'ms CPU', cpuMs, limit, { target: { atMost: 1 } });
      }
    const { grownMegabytes } = large!;
    addRow('shop while 1,000,000 orders become a spreadsheet', 'MB more', grownMegabytes, 60, {
      target: { atMost: 1 },
    });
  },
  async uploads() {
    const mostMegabytes = { PostgreSQL: 320, embedded: 400 };
    for (const [engine, uploads] of Object.entries(await compareUploads())) {
      const { cpuSeconds, aloneCpuSeconds, p95Ms, idleP95Ms, peakMegabytes } = uploads;
      const megabytes = mostMegabytes[engine as keyof typeof mostMegabytes];
      addRow(`20 x 10 MB uploads, ${engine}`, 'CPU s', cpuSeconds, aloneCpuSeconds, {
        target: { atMost: 1.4 },
        peakMegabytes,
      });
      addRow(`web process while they arrive, ${engine}`, 'MB RSS', peakMegabytes, megabytes, {
        target: { atMost: 1 },
      });
      addRow(`p95 of other requests meanwhile, ${engine}`, 'ms', p95Ms, idleP95Ms, { target: { atMost: 3 } });
    }
  },
  async 'upload-page'() {
    const slowestMs = await timeUploadPage();
    addRow('slowest interaction of the upload page with 200 photos', 'ms', slowestMs, 100, { target: { atMost: 1 } });
  },
  async panel() {
    const { usableMs, scriptKilobytes, zipStartsMs, zipGrownMegabytes } = await measurePanel();
    const target = { atMost: 1 };
    addRow('panel, from its address to a search', 'ms', usableMs, 1000, { target });
    addRow('first-load JavaScript of the panel', 'KB gzip', scriptKilobytes, 250, { target });
    addRow('ZIP of 200 photos until its first byte', 'ms', zipStartsMs, 300, { target });
    addRow('shop while it is sent', 'MB more', zipGrownMegabytes, 60, { target });
  },
  async backup() {
    const backup = await measureBackup();
    const { copiedMegabytesPerSecond: copied } = backup;
    addRow('backup of 10,000 files', 'MB/s', backup.megabytesPerSecond, copied, { target: { atLeast: 0.5 } });
    addRow('the same, sealed', 'MB/s', backup.sealedMegabytesPerSecond, copied);
    addRow('process of a backup', 'MB more', backup.grownMegabytes, 100, { target: { atMost: 1 } });
    addRow('shop while it is backed up', 'MB more', backup.shopGrownMegabytes, 100, { target: { atMost: 1 } });
    const { restored, emptyGrownMegabytes: ofDatabase } = backup;
    const { embedded, PostgreSQL } = restored;
    addRow('restore of the same, embedded', 'MB/s', embedded.megabytesPerSecond, copied, { target: { atLeast: 0.5 } });
    addRow('the same on PostgreSQL', 'MB/s', PostgreSQL.megabytesPerSecond, copied, { target: { atLeast: 0.5 } });
    addRow('process of a restore on PostgreSQL', 'MB more', PostgreSQL.grownMegabytes, 100, { target: { atMost: 1 } });
    addRow('the same embedded, less its database', 'MB more', embedded.grownMegabytes - ofDatabase, 100, {
      target: { atMost: 1 },
    });
    addRow('that database alone', 'MB more', ofDatabase, 100);
  },
  async videos() {
    const videos = await compareVideos(motionStyles);
    const layeredStyles = new Set<MotionStyle>([
      'parallax',
      'portrait-light',
      'snow',
      'motes',
      'leaves',
      'sky',
      'reveal',
      'restored',
    ]);
    const livingStyles = new Set<MotionStyle>(['alive', 'water', 'candlelight', 'own-motion']);
    for (const { style, whole, bare } of videos) {
      const maxSeconds = livingStyles.has(style) ? 2.5 : layeredStyles.has(style) ? 1.8 : 1.3;
      addRow(`photo to MP4, ${style}`, 'CPU s', whole, bare, { target: { atMost: maxSeconds } });
    }
  },
  async motion() {
    for (const { name, value, atMost, unit } of await measureMotion())
      addRow(name, unit, value, atMost, { target: { atMost: 1 } });
    if (photosFolder === undefined) return;
    const films: VideoFigures[] = [];
    for await (const figures of measurePhotoVideos(photosFolder, sheetsFolder)) {
      console.log(JSON.stringify(figures));
      films.push(figures);
    }
    console.table(films.map(roundFigures));
    console.log(`contact sheets: ${sheetsFolder}`);
  },
  async workers() {
    const { filmsPerMinute, coresOfOne } = await compareWorkers();
    addRow('films of two workers', 'a minute', filmsPerMinute[2]!, filmsPerMinute[1]!, { target: { atLeast: 1.7 } });
    // A second worker can only use the cores that one worker leaves idle.
    addRow('cores in use by one worker', 'cores', coresOfOne, availableParallelism());
  },
};

const isFolder = (argument: string) => argument.includes('/');
const requestedParts = process.argv.slice(2).filter((it) => !isFolder(it));
/** A folder with photographs for the part `motion`, and the folder for their contact sheets. */
const [photosFolder, sheetsFolder = join(tmpdir(), 'kinframe-sheets')] = process.argv.slice(2).filter(isFolder);
const unknownRequestedParts = requestedParts.filter((name) => !parts[name]);
if (unknownRequestedParts.length > 0)
  throw new Error(`The bench has no ${unknownRequestedParts.join(', ')}; it has ${Object.keys(parts).join(', ')}`);

/** The latest result of each part of the bench, by the name of the part. */
type Results = Record<string, { date: string; cores: number; node: string; rows: Row[] }>;
const file = join(import.meta.dirname, '../bench/results.json');

// All parts but this one measure the built shop.
if (requestedParts.join() !== 'motion') await build();
for (const [name, run] of Object.entries(parts)) {
  if (requestedParts.length > 0 && !requestedParts.includes(name)) continue;
  highestLoad = loadavg()[0] ?? 0;
  const rowCountBefore = rows.length;
  await run();
  const results = JSON.parse(readFileSync(file, 'utf8')) as Results;
  const measurement = { cores: availableParallelism(), node: process.version, rows: rows.slice(rowCountBefore) };
  results[name] = { date: new Date().toISOString(), ...measurement };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}

function roundFigures(figures: VideoFigures) {
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [
      name,
      typeof value === 'number' ? Number(value.toFixed(2)) : value,
    ]),
  );
}

const isWithinLimit = ({ ratio, target }: Row) =>
  target === undefined || (ratio >= (target.atLeast ?? 0) && ratio <= (target.atMost ?? Infinity));
const formatTarget = ({ target }: Row) =>
  target === undefined ? '' : target.atLeast === undefined ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
const formatFigure = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

console.table(
  Object.fromEntries(
    rows.map((row) => [
      row.name,
      {
        value: formatFigure(row.value),
        limit: formatFigure(row.limit),
        unit: row.unit,
        ratio: row.ratio.toFixed(3),
        target: formatTarget(row),
        met: row.target === undefined ? '' : isWithinLimit(row) ? 'yes' : 'MISSED',
        load: row.load.toFixed(1),
        'peak MB': row.peakMegabytes === undefined ? '' : formatFigure(row.peakMegabytes),
      },
    ]),
  ),
);
