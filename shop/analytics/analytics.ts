import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { forgetRows } from '../forget.ts';
import { pageViews } from './analytics.sql.ts';

const robots = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|curl|wget|python|facebookexternalhit/i;

/** Links that are keys, and what is one customer's: what follows them, in the path or the query, is kept nowhere. */
const secretPaths = /^\/(delivery|play|proof|collect|review|orders|account\/erased)\/.*$/;
const pageOf = (path: string) => path.replace(/[?#].*$/, '').replace(secretPaths, '/$1') || '/';

/** Where the visitor came from, without what that address may say about them. */
function siteOf(referrer: string | null): string | null {
  if (!referrer || !URL.canParse(referrer)) return null;
  const { origin, pathname } = new URL(referrer);
  return origin === 'null' ? null : origin + pageOf(pathname);
}

/** Count a page seen by a person. Robots and the admin's own pages are not counted. */
export async function countPageView(
  { db, clock }: { db: Db; clock: Clock },
  view: { pagePath: string; referrer: string | null; userAgent: string },
): Promise<void> {
  if (robots.test(view.userAgent) || view.pagePath.startsWith('/admin')) return;
  await db.insert(pageViews).values({
    id: newId(),
    pagePath: pageOf(view.pagePath),
    referrer: siteOf(view.referrer),
    userAgent: view.userAgent,
    viewedAt: clock.now(),
  });
}

export const forgetPageViews = forgetRows(pageViews, pageViews.id, pageViews.viewedAt);
