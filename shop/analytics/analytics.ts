import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import { deleteOldRows } from '../delete-old-rows.ts';
import { pageViews } from './analytics.sql.ts';

const robotPattern = /bot|crawl|spider|slurp|preview|headless|lighthouse|monitor|curl|wget|python|facebookexternalhit/i;

/**
 * Paths that belong to one customer, often with a secret token. Only their beginning is stored, for example
 * `/delivery`.
 */
const secretPathPattern = /^\/(cart|delivery|film|play|proof|collect|review|orders|account\/erased)\/.*$/;
/** Normalizes the address of a page: without query, without double slashes and without a slash at the end. */
const normalizePagePath = (path: string) =>
  path
    .replace(/[?#].*$/, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(secretPathPattern, '/$1')
    .replace(/\/$/, '') || '/';

/** The site that the visitor came from, without parts of the address that could identify them. */
function stripReferrer(referrer: string | null): string | null {
  if (!referrer || !URL.canParse(referrer)) return null;
  const { origin, pathname } = new URL(referrer);
  return origin === 'null' ? null : origin + normalizePagePath(pathname);
}

/** Counts a page view by a person. Robots and the admin's pages are not counted. */
export async function countPageView(
  { db, clock }: { db: Db; clock: Clock },
  view: { pagePath: string; referrer: string | null; userAgent: string },
): Promise<void> {
  const pagePath = normalizePagePath(view.pagePath);
  if (robotPattern.test(view.userAgent) || pagePath.startsWith('/admin')) return;
  await db.insert(pageViews).values({
    id: newId(),
    pagePath,
    referrer: stripReferrer(view.referrer),
    userAgent: view.userAgent,
    viewedAt: clock.now(),
  });
}

export const deleteOldPageViews = deleteOldRows(pageViews, pageViews.id, pageViews.viewedAt);
