import { chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { publicPages } from '#server/pages/public-pages.ts';
import { findBrowser } from '../scripts/find-browser.ts';
import { findFreePort } from '../test/free-port.ts';
import { findMedian } from './measure.ts';
import { startShop } from './shop-process.ts';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof categories)[number];

export interface PageScores {
  path: string;
  /** 0 to 100. The median of three visits. */
  scores: Record<Category, number>;
  /** Medians of the same three visits: largest paint and blocking time in milliseconds, and the layout shift. */
  largestPaintMs: number;
  blockingMs: number;
  shift: number;
  /** Audits that cost points in the last visit. */
  lost: string[];
}
const visitsPerPage = 3;

/** Lighthouse scores of pages with its mobile preset, which simulates a slow phone on a slow network. */
export async function scorePages(): Promise<PageScores[]> {
  const shop = await startShop();
  const port = await findFreePort();
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ executablePath: findBrowser(), args });
  try {
    const scoresByPage: PageScores[] = [];
    for (const path of publicPages) scoresByPage.push(await scorePage(shop.origin, path, port));
    return scoresByPage;
  } finally {
    await browser.close();
    await shop.close();
  }
}

async function scorePage(origin: string, path: string, port: number): Promise<PageScores> {
  const pageReports: Result[] = [];
  for (let visit = 0; visit < visitsPerPage; visit++) {
    const result = await lighthouse(origin + path, { port, logLevel: 'error', onlyCategories: [...categories] });
    if (!result || result.lhr.runtimeError) throw new Error(`${path}: ${result?.lhr.runtimeError?.message}`);
    pageReports.push(result.lhr);
  }
  const computeScore = (category: Category) =>
    Math.round(100 * findMedian(pageReports.map((it) => it.categories[category]?.score ?? 0)));
  const computeMedianOfAudit = (audit: string) =>
    findMedian(pageReports.map((it) => it.audits[audit]?.numericValue ?? Infinity));
  const { audits, categories: last } = pageReports.at(-1)!;
  const countedAudits = categories.flatMap((category) => last[category]?.auditRefs.filter((it) => it.weight > 0) ?? []);
  return {
    path,
    scores: {
      performance: computeScore('performance'),
      accessibility: computeScore('accessibility'),
      'best-practices': computeScore('best-practices'),
      seo: computeScore('seo'),
    },
    largestPaintMs: computeMedianOfAudit('largest-contentful-paint'),
    blockingMs: computeMedianOfAudit('total-blocking-time'),
    shift: computeMedianOfAudit('cumulative-layout-shift'),
    lost: countedAudits.flatMap(({ id }) => {
      const { score, displayValue = '' } = audits[id]!;
      return score === null || score > 0.95 ? [] : [`${id} ${displayValue}`.trim()];
    }),
  };
}
