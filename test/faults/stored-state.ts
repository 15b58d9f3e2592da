import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import type { Storage } from '#shop/ports/storage.ts';
import type { RequestRecorder } from './scenario.ts';

/** What a shop has, with the same names as in a ledger. */
export interface StoredState {
  names: string[];
  /** Payments that the provider has charged. */
  charged: string[];
  /** Emails that have not been sent. */
  waiting: string[];
}

/**
 * Returns everything that was paid for, uploaded and made. Checks that each item exists only once and that photos match
 * their hashes.
 */
export async function readStoredState(db: Db, storage: Storage): Promise<StoredState> {
  const queryNames = async (query: ReturnType<typeof sql>) =>
    (await db.execute<{ name: string }>(query)).rows.map((it) => it.name);
  const names = await queryNames(sql`
    select 'paid:' || stripe_payment_intent_id as name from orders
    union all select 'photo:' || id from uploads
    union all select 'film:' || upload_id from videos where state in ('rendered', 'approved')
    union all select 'refund:' || id from refunds where state = 'succeeded'`);
  expect(new Set(names).size).toBe(names.length);
  const chargedNames = await queryNames(sql`
    select id as name from sandbox_objects where type = 'payment_intent' and body ->> 'status' = 'succeeded'`);
  const refundedTwice = await queryNames(sql`
    select intent_id as name from sandbox_objects where type = 'refund' group by intent_id having count(*) > 1`);
  expect(refundedTwice).toEqual([]);
  const waitingMails = await queryNames(sql`select 'mail ' || event as name from mails where sent_at is null`);
  // An order must be complete: it has the frames that were bought, and its receipt, which is named after the order.
  const incompleteOrders = await queryNames(sql`
    select stripe_payment_intent_id as name from orders where frame_id is null and (
      (select count(*) from frames where order_id = orders.id) <> quantity
      or not exists (select from mails where event = 'receipt:' || orders.id))`);
  expect(incompleteOrders).toEqual([]);
  const { rows: photos } = await db.execute<{ key: string; hash: string }>(
    sql`select original_key as key, sha256 as hash from uploads`,
  );
  for (const { key, hash } of photos) expect([key, await hashStoredFile(storage, key)]).toEqual([key, hash]);
  const { rows: films } = await db.execute<{ video: string; poster: string; take: number }>(
    sql`select video_key as video, poster_key as poster, take from videos where state in ('rendered', 'approved')`,
  );
  for (const { video, poster, take } of films) {
    expect(take).toBe(1);
    for (const key of [video, poster]) expect((await storage.stat(key))?.sizeBytes, key).toBeGreaterThan(0);
  }
  return { names, charged: chargedNames, waiting: waitingMails };
}

async function hashStoredFile(storage: Storage, key: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of await storage.read(key)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Returns what is still missing: unsent emails, acknowledged items that do not exist, and charges without an order. */
export const findMissingItems = (
  requestRecorder: RequestRecorder,
  { names, charged, waiting: waitingMails }: StoredState,
): string[] => [
  ...waitingMails,
  ...requestRecorder.findMissing(namesWithDeleted(requestRecorder, names)),
  ...charged.filter((it) => !names.includes(`paid:${it}`)),
];

/** A deleted photo counts as present if it no longer exists. */
export function namesWithDeleted(requestRecorder: RequestRecorder, names: string[]): string[] {
  const presentNames = new Set(names);
  const deletions = [...requestRecorder.acknowledged].filter((it) => it.startsWith('gone:'));
  return [...names, ...deletions.filter((it) => !presentNames.has(it.replace('gone', 'photo')))];
}
