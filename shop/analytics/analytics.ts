import type { Clock, Db } from '../ports.ts';
import { newId } from '../columns.ts';
import { pageViews } from './analytics.sql.ts';

const robots = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|curl|wget|python|facebookexternalhit/i;

/** Count a page seen by a person. Robots and the admin's own pages are not counted. */
export async function countPageView(
  { db, clock }: { db: Db; clock: Clock },
  view: { pagePath: string; referrer: string | null; userAgent: string },
): Promise<void> {
  if (robots.test(view.userAgent) || view.pagePath.startsWith('/admin')) return;
  await db.insert(pageViews).values({ id: newId(), ...view, viewedAt: clock.now() });
}
