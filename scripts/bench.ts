/** `npm run bench`: each part of the shop against its limit in the same run, as a table and in bench/results.json. */
import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { weighHome } from '../bench/first-load.ts';
import { scorePages, type Category } from '../bench/lighthouse.ts';
import { comparePages } from '../bench/pages.ts';
import { comparePaidOrdersByEngine } from '../bench/paid-orders.ts';
import { compareUploads } from '../bench/uploads.ts';
import { compareVideos } from '../bench/videos.ts';
import { motionStyles } from '#contract/motion.ts';
import { build } from './build.ts';

interface Row {
  name: string;
  /** What is measured, and the limit it is measured against, in the same unit. */
  value: number;
  limit: number;
  unit: string;
  ratio: number;
  /** Undefined where only the figure is of interest. */
  target?: { atLeast?: number; atMost?: number };
  peakMegabytes?: number;
}

const rows: Row[] = [];
const against = (
  name: string,
  unit: string,
  value: number,
  limit: number,
  rest: Pick<Row, 'target' | 'peakMegabytes'> = {},
) => rows.push({ name, value, limit, unit, ratio: value / limit, ...rest });

/** What `npm run bench -- pages uploads` names; all of them without a name. */
const parts: Record<string, () => Promise<void>> = {
  async pages() {
    const pages = await comparePages();
    const { peakMegabytes } = pages;
    against('home page, rendered', 'requests/CPU s', pages.rendered, pages.ready, {
      target: { atLeast: 0.04 },
      peakMegabytes,
    });
    against('home page, from memory', 'requests/CPU s', pages.cached, pages.ready, {
      target: { atLeast: 0.4 },
      peakMegabytes,
    });
  },
  async weight() {
    const { scriptKilobytes, phoneKilobytes } = await weighHome();
    against('first-load JavaScript of home', 'KB gzip', scriptKilobytes, 140, { target: { atMost: 1 } });
    against('home at 390 px before the hero video', 'KB', phoneKilobytes, 700, { target: { atMost: 1 } });
  },
  async lighthouse() {
    const least: Record<Category, number> = { performance: 95, accessibility: 100, 'best-practices': 95, seo: 100 };
    const [load = 0] = loadavg();
    console.log(`Lighthouse, with a load of ${load.toFixed(1)} on ${availableParallelism()} cores before it`);
    for (const { path, scores, lost } of await scorePages()) {
      if (lost.length > 0) console.log(`${path}: ${lost.join(', ')}`);
      for (const [category, score] of Object.entries(scores))
        against(`${path} ${category}`, 'points', score, 100, {
          target: { atLeast: least[category as Category] / 100 },
        });
    }
  },
  async orders() {
    const least = { PostgreSQL: 0.5, embedded: 0.4 };
    for (const [engine, orders] of Object.entries(await comparePaidOrdersByEngine())) {
      const { settledPerSecond, barePerSecond, medianMs, slowestHundredthMs, peakMegabytes } = orders;
      const target = { atLeast: least[engine as keyof typeof least] };
      against(`paid orders, ${engine}`, 'orders/s', settledPerSecond, barePerSecond, { target, peakMegabytes });
      // The limit is the median: how much longer the unlucky one in a hundred waits.
      against(`slowest of 100 orders, ${engine}`, 'ms', slowestHundredthMs, medianMs, { target: { atMost: 4 } });
    }
  },
  async uploads() {
    const { peakMegabytes, ...rates } = await compareUploads();
    against('20 x 10 MB uploads', 'MB/s', rates.uploadedMegabytesPerSecond, rates.writtenMegabytesPerSecond);
    against('web process while they arrive', 'MB RSS', peakMegabytes, 400, { target: { atMost: 1 }, peakMegabytes });
  },
  async videos() {
    const videos = await compareVideos(motionStyles);
    for (const { style, whole, bare } of videos) against(`photo to MP4, ${style}`, 'CPU s', whole, bare);
    const mean = (of: (it: (typeof videos)[number]) => number) =>
      videos.reduce((sum, it) => sum + of(it), 0) / videos.length;
    against(
      'photo to MP4, mean',
      'CPU s',
      mean((it) => it.whole),
      mean((it) => it.bare),
      { target: { atMost: 1.5 } },
    );
  },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !parts[name]);
if (unknown.length > 0)
  throw new Error(`The bench has no ${unknown.join(', ')}; it has ${Object.keys(parts).join(', ')}`);

await build();
for (const [name, run] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await run();

const isMet = ({ ratio, target }: Row) =>
  target === undefined || (ratio >= (target.atLeast ?? 0) && ratio <= (target.atMost ?? Infinity));
const targetOf = ({ target }: Row) =>
  target === undefined ? '' : target.atLeast === undefined ? `at most ${target.atMost}` : `at least ${target.atLeast}`;
const figure = (value: number) => value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);

console.table(
  Object.fromEntries(
    rows.map((row) => [
      row.name,
      {
        value: figure(row.value),
        limit: figure(row.limit),
        unit: row.unit,
        ratio: row.ratio.toFixed(3),
        target: targetOf(row),
        met: row.target === undefined ? '' : isMet(row) ? 'yes' : 'MISSED',
        'peak MB': row.peakMegabytes === undefined ? '' : figure(row.peakMegabytes),
      },
    ]),
  ),
);
const facts = { date: new Date().toISOString(), cores: availableParallelism(), node: process.version };
if (asked.length === 0)
  writeFileSync(join(import.meta.dirname, '../bench/results.json'), `${JSON.stringify({ ...facts, rows }, null, 2)}\n`);
