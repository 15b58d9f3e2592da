import { count, eq, min, sql } from 'drizzle-orm';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { frameFilters, frameSorts } from '#contract/owner/frames.ts';
import type { Db } from '../ports/database.ts';
import { readList, type List } from '../lists.ts';
import { orderSearchCondition } from '../orders/orders-list.ts';
import { frames, type Frame } from './frames.sql.ts';

type Sort = (typeof frameSorts)[number];
type Filter = (typeof frameFilters)[number];

/**
 * Frames with connection details that staff have not connected yet. The status is a literal in the SQL, because a query
 * with a parameter cannot always use the partial index.
 */
const areToConnect = sql`${frames.connectionStatus} = 'pending'`;

const list: List<typeof frames, Sort, Filter> = {
  table: frames,
  sorts: { date: [frames.createdAt, frames.id] },
  sort: 'date',
  filters: {
    'to-connect': areToConnect,
    'to-fill': sql`${frames.videosReadyAt} is not null and ${frames.deliveredAt} is null`,
    filled: sql`${frames.deliveredAt} is not null`,
  },
  search: (isIn) => orderSearchCondition(frames.orderId, isIn),
};

/** The active frames for the admin panel, oldest first. The search looks in the text of the frames' orders. */
export const listFrames = (db: Db, listQuery: ListQuery<Sort, Filter>): Promise<ListResponse<Frame>> =>
  readList(db, list, listQuery, eq(frames.isActive, true));

/** The number of active frames that wait to be connected, and since when the first of them waits. */
export async function countFramesToConnect(db: Db): Promise<{ count: number; since: Date } | undefined> {
  const [found] = await db
    .select({ count: count(), since: min(frames.connectionSince) })
    .from(frames)
    .where(sql`${areToConnect} and ${frames.isActive}`);
  return found?.since ? { count: found.count, since: found.since } : undefined;
}
