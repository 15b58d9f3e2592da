import { and, eq, isNotNull } from 'drizzle-orm';
import type { UserChange } from '#contract/owner/people.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { findCustomerById, setReuploadCredits } from '../accounts/accounts.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { adjustSlots, sumOfSlots } from '../frames/adjust-slots.ts';
import { readFramesOfOrders, lockOrdersWithFrames, type Frame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { readOrdersOf, readOrdersOfManyCustomers, type Order } from '../orders/orders.ts';
import { people, type Person } from './people.sql.ts';

export type { Person } from './people.sql.ts';

export async function findPersonById(db: Db, id: string): Promise<Person | undefined> {
  const [person] = await db.select().from(people).where(eq(people.id, id));
  return person;
}
export async function findUserById(db: Db, id: string): Promise<Person | undefined> {
  const [user] = await db
    .select()
    .from(people)
    .where(and(eq(people.id, id), isNotNull(people.accountId)));
  return user;
}

/** A person's orders, newest first, and their frames. */
export interface OrdersAndFrames {
  orders: Order[];
  frames: Frame[];
}
/** The orders and frames of each of these people, by the person's id. */
export async function readOrdersAndFramesOf(db: Db, some: readonly Person[]): Promise<Map<string, OrdersAndFrames>> {
  const orders = await readOrdersOfManyCustomers(
    db,
    some.flatMap((it) => it.accountId ?? []),
    some.flatMap((it) => (it.accountId === null ? it.email : [])),
  );
  const frames = await readFramesOfOrders(
    db,
    orders.map((it) => it.id),
  );
  const ordersByCustomer = Map.groupBy(orders, (it) => it.customerId ?? `mail:${it.email}`);
  const framesByOrder = Map.groupBy(frames, (it) => it.orderId);
  return new Map(
    some.map(({ id, accountId, email }) => {
      const ordersOfPerson = ordersByCustomer.get(accountId ?? `mail:${email}`) ?? [];
      return [id, { orders: ordersOfPerson, frames: ordersOfPerson.flatMap((it) => framesByOrder.get(it.id) ?? []) }];
    }),
  );
}

/**
 * Changes a user's limits and reupload credits for the owner: all requested changes or none. Locks orders and frames
 * before the account, like all other transactions, so that uploads, refunds and other edits run before or after this
 * one.
 */
export async function editUser(
  { db, clock, jobs, link }: { db: Db; clock: Clock; jobs: Jobs; link: (path: string) => string },
  id: string,
  change: UserChange,
  by: AuditAuthor = {},
): Promise<void> {
  const {
    basePhotoLimit: basePhotos,
    extraPhotoPackages: extraPackages,
    reuploadCredits,
    customerId,
    tellCustomer = true,
  } = change;
  await db.transaction(async (tx) => {
    const customer = await findCustomerById(tx, id);
    if (!customer) throw new Refusal('not-found');
    if (customerId && customerId !== id) throw new Refusal('user-is-customer');
    const userBefore: UserChange = {};
    const userAfter: UserChange = {};
    if (basePhotos !== undefined || extraPackages !== undefined) {
      const { lockedFrames, isCanceled } = await lockFramesOfCustomer(tx, id);
      const requestedSlots = {
        ...(basePhotos !== undefined && { basePhotos }),
        ...(extraPackages !== undefined && { extraPackages }),
      };
      Object.assign(userBefore, sumPhotoLimits(lockedFrames));
      Object.assign(userAfter, sumPhotoLimits(await adjustSlots(tx, clock, lockedFrames, requestedSlots, isCanceled)));
    }
    if (reuploadCredits !== undefined) {
      const credits = await setReuploadCredits(tx, id, reuploadCredits);
      if (credits === undefined) throw new Refusal('not-found'); // the account was deleted
      Object.assign(userBefore, { reuploadCredits: credits });
      Object.assign(userAfter, { reuploadCredits });
      const addedCredits = reuploadCredits - credits;
      if (addedCredits > 0 && tellCustomer)
        await queueMail(
          tx,
          { jobs, clock },
          {
            event: `credits-given:${id}:${newId()}`,
            to: customer.email,
            content: {
              kind: 'credits-given',
              firstName: customer.firstName,
              given: addedCredits,
              credits: reuploadCredits,
              uploadUrl: link('/upload'),
            },
          },
        );
    }
    if (Object.keys(userAfter).length > 0)
      await recordAuditEntry(tx, clock, {
        act: 'edit-user',
        subjectId: id,
        before: userBefore,
        after: userAfter,
        ...by,
      });
  });
}

/** Locks a customer's frames and their orders. Skips orders of add-ons, because they have no frames of their own. */
async function lockFramesOfCustomer(tx: Db, customerId: string) {
  const ordersOfPerson = (await readOrdersOf(tx, customerId)).filter((it) => it.frameId === null);
  const lockedOrders = await lockOrdersWithFrames(tx, ordersOfPerson);
  const canceledOrderIds = new Set(lockedOrders.filter((it) => it.order.canceledAt !== null).map((it) => it.order.id));
  const orderIndex = new Map(ordersOfPerson.toReversed().map((it, at) => [it.id, at]));
  return {
    lockedFrames: lockedOrders
      .flatMap((it) => it.frames)
      .toSorted((a, b) => orderIndex.get(a.orderId)! - orderIndex.get(b.orderId)! || a.position - b.position),
    isCanceled: (frame: Frame) => canceledOrderIds.has(frame.orderId),
  };
}

/** The sums of the frames' limits, with the field names of the admin panel. */
export function sumPhotoLimits(frames: Frame[]): { basePhotoLimit: number; extraPhotoPackages: number } {
  const { basePhotos, extraPackages } = sumOfSlots(frames);
  return { basePhotoLimit: basePhotos, extraPhotoPackages: extraPackages };
}
