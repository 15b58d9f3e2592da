import { eq, sql } from 'drizzle-orm';
import type { Asked, ListAnswer } from '#contract/lists.ts';
import type { frameFilters, frameSorts } from '#contract/owner/frames.ts';
import type { Db } from '../ports/database.ts';
import { readList, type List } from '../lists.ts';
import { isOfOrderFoundBy } from '../orders/orders-list.ts';
import { frames, type Frame } from './frames.sql.ts';

type Sort = (typeof frameSorts)[number];
type Filter = (typeof frameFilters)[number];

const list: List<typeof frames, Sort, Filter> = {
  table: frames,
  sorts: { date: [frames.createdAt, frames.id] },
  sort: 'date',
  filters: {
    'to-connect': sql`${frames.connectionStatus} = 'pending'`,
    'to-fill': sql`${frames.videosReadyAt} is not null and ${frames.deliveredAt} is null`,
    filled: sql`${frames.deliveredAt} is not null`,
  },
  search: (isIn) => isOfOrderFoundBy(frames.orderId, isIn),
};

/** Frames as staff fill them, the one that waits longest first; found by what their order is found by. */
export const listFrames = (db: Db, asked: Asked<Sort, Filter>): Promise<ListAnswer<Frame>> =>
  readList(db, list, asked, eq(frames.isActive, true));
