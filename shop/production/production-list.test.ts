import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { seedOrders } from '../../bench/seed-orders.ts';
import { describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { frames } from '../frames/frames.sql.ts';
import type { Db } from '../ports/database.ts';
import { listProduction } from './production-list.ts';
import { videos } from './production.sql.ts';

type Question = Parameters<typeof listProduction>[1];
const hourMs = 3_600_000;
const computeTimeHoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

const readListedFrames = async (db: Db, question: Question = {}) => {
  const { rows } = await listProduction(db, { limit: 100, ...question });
  const allFrames = await db.select().from(frames);
  return rows.map((row) => allFrames.find((it) => it.orderId === row.orderId)!.id);
};

describeOnEachEngine((fresh) => {
  test('lists open orders by due time, then delivered orders, newest first', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 120, photos: 0 });
    const changeFrame = (id: string, finalizedAt: Date | null, videosReadyAt: Date | null = null) =>
      db.update(frames).set({ finalizedAt, videosReadyAt }).where(eq(frames.id, id));
    await changeFrame('frame-117', computeTimeHoursAgo(60), computeTimeHoursAgo(1));
    await changeFrame('frame-118', computeTimeHoursAgo(50), computeTimeHoursAgo(2));
    await changeFrame('frame-17', computeTimeHoursAgo(2));
    await changeFrame('frame-50', computeTimeHoursAgo(90)); // this frame is overdue
    await changeFrame('frame-90', computeTimeHoursAgo(30));
    const listedFrames = await readListedFrames(db);
    expect(listedFrames.slice(0, 5)).toEqual(['frame-50', 'frame-90', 'frame-17', 'frame-118', 'frame-117']);
    expect(await readListedFrames(db, { filter: 'open' })).toEqual(['frame-50', 'frame-90', 'frame-17']);
    expect((await readListedFrames(db, { filter: 'delivered' }))[0]).toBe('frame-118');
    expect(await readListedFrames(db, { q: 'customer90@' })).toEqual(['frame-90']);
    expect(await readListedFrames(db, { q: 'customer120@' })).toEqual([]);
  });

  test('each filter finds orders by the states of their videos, even delivered orders', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 20, photos: 2 });
    const findFiltersContainingOrder = async (id: string) => {
      const foundFilters = [];
      for (const filter of ['open', 'review', 'under-way', 'failed', 'delivered'] as const)
        if ((await readListedFrames(db, { filter })).includes(id)) foundFilters.push(filter);
      return foundFilters;
    };
    const setState = (state: 'queued' | 'rendering' | 'rendered' | 'approved' | 'failed', id = 'video-5-1') =>
      db.update(videos).set({ state }).where(eq(videos.id, id));
    expect(await findFiltersContainingOrder('frame-5')).toEqual(['delivered']);
    await setState('queued');
    expect(await findFiltersContainingOrder('frame-5')).toEqual(['under-way', 'delivered']);
    await setState('rendering');
    await setState('failed', 'video-5-2');
    expect(await findFiltersContainingOrder('frame-5')).toEqual(['under-way', 'failed', 'delivered']);
    await setState('rendered');
    await setState('approved', 'video-5-2');
    expect(await findFiltersContainingOrder('frame-5')).toEqual(['review', 'delivered']);
    await db.update(frames).set({ videosReadyAt: null }).where(eq(frames.id, 'frame-5'));
    await setState('approved');
    expect(await findFiltersContainingOrder('frame-5')).toEqual(['open']);
    await db.update(frames).set({ finalizedAt: null }).where(eq(frames.id, 'frame-5'));
    expect(await findFiltersContainingOrder('frame-5')).toEqual([]);
  });
});

describeOnPostgres((fresh) => {
  test('counts all videos of an order correctly when they change at the same time', async () => {
    const { db } = await fresh();
    await seedOrders(db, { orders: 5, photos: 10 });
    await db.update(videos).set({ state: 'rendering' }).where(eq(videos.frameId, 'frame-2'));
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        db
          .update(videos)
          .set({ state: 'rendered' })
          .where(eq(videos.id, `video-2-${n + 1}`)),
      ),
    );
    const { rows } = await listProduction(db, { filter: 'review' });
    expect(rows.map((it) => [it.toReview, it.underWay])).toEqual([[10, 0]]);
  });
});
