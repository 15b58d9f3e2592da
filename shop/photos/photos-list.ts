import { eq } from 'drizzle-orm';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { uploadSorts } from '#contract/owner/photos.ts';
import type { Db } from '../ports/database.ts';
import { readList, type List } from '../lists.ts';
import { orderSearchCondition } from '../orders/orders-list.ts';
import { uploads, type Upload } from './photos.sql.ts';

type Sort = (typeof uploadSorts)[number];

const list: List<typeof uploads, Sort, never> = {
  table: uploads,
  sorts: { date: [uploads.uploadedAt, uploads.id] },
  sort: '-date',
  filters: {},
  search: (isIn) => orderSearchCondition(uploads.orderId, isIn),
};

/** Lists photos, newest first: of all orders, or of one order. The search matches the text of the photos' orders. */
export const listPhotos = (
  db: Db,
  { orderId, ...listQuery }: ListQuery<Sort, never> & { orderId?: string | undefined },
): Promise<ListResponse<Upload>> =>
  readList(db, list, listQuery, orderId === undefined ? undefined : eq(uploads.orderId, orderId));
