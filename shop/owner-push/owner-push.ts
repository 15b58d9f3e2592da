/** Notifications on the owner's phone (Web Push). Specification: part 3, Forms and mail: "To the owner: sale". */
import { asc, count, eq, sql } from 'drizzle-orm';
import { maxPushDevices } from '#contract/owner/push.ts';
import { Refusal } from '#contract/refusals.ts';
import { owner, recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { PushAddress, PushKeys, PushMessage, PushService } from '../ports/push-service.ts';
import { pushDevices, pushKeys, type PushDevice } from './owner-push.sql.ts';

export type { PushDevice } from './owner-push.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
  push: PushService;
}

/** The shop's key pair. The first call creates it. All processes use the same one. */
export async function readPushKeys({ db, push }: Pick<Scope, 'db' | 'push'>): Promise<PushKeys> {
  const readKeys = async () => (await db.select().from(pushKeys))[0];
  const knownKeys = await readKeys();
  if (knownKeys) return knownKeys;
  await db.insert(pushKeys).values(push.createKeys()).onConflictDoNothing();
  return (await readKeys())!;
}

/** The owner's devices, oldest first. */
export const listPushDevices = (db: Db): Promise<PushDevice[]> =>
  db.select().from(pushDevices).orderBy(asc(pushDevices.createdAt), asc(pushDevices.id));

/**
 * Adds a browser, or updates the keys of a browser that is known. Refuses an endpoint that is not on the public
 * network.
 */
export async function addPushDevice(
  { db, clock, push }: Scope,
  { device, ...address }: PushAddress & { device: string },
  by: AuditAuthor,
): Promise<PushDevice> {
  if (!push.accepts(address.endpoint)) throw new Refusal('push-address-refused');
  return db.transaction(async (tx) => {
    // Take a lock, so that simultaneous requests cannot exceed the limit.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('push-devices', 0))`);
    const [known] = await tx.select().from(pushDevices).where(eq(pushDevices.endpoint, address.endpoint));
    const [counted] = await tx.select({ count: count() }).from(pushDevices);
    if (!known && counted!.count >= maxPushDevices) throw new Refusal('too-many-push-devices');
    const staffId = by.person && by.person.id !== owner.id ? by.person.id : null;
    const changedFields = { p256dh: address.p256dh, auth: address.auth, device, staffId };
    const [added] = await tx
      .insert(pushDevices)
      .values({ id: newId(), ...address, device, staffId, createdAt: clock.now() })
      .onConflictDoUpdate({ target: pushDevices.endpoint, set: changedFields })
      .returning();
    const { id } = added!;
    await recordAuditEntry(tx, clock, { act: 'add-push-device', subjectId: id, after: { device }, ...by });
    return added!;
  });
}

/** Deletes the devices of a member of the staff, so that they get no more notifications. */
export const deletePushDevicesOfMember = (tx: Db, staffId: string) =>
  tx.delete(pushDevices).where(eq(pushDevices.staffId, staffId));

export async function removePushDevice(
  { db, clock }: Pick<Scope, 'db' | 'clock'>,
  id: string,
  by: AuditAuthor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [removed] = await tx.delete(pushDevices).where(eq(pushDevices.id, id)).returning();
    if (!removed) throw new Refusal('not-found');
    const { device } = removed;
    await recordAuditEntry(tx, clock, { act: 'remove-push-device', subjectId: id, before: { device }, ...by });
  });
}

/** Enqueues a notification about an order for each device. Called by the job that follows each sale. */
export async function queueSaleNotifications(
  { db, jobs }: { db: Db; jobs: Pick<Jobs, 'enqueueAll'> },
  orderId: string,
): Promise<void> {
  await db.transaction(async (tx) => {
    const devices = await tx.select({ deviceId: pushDevices.id }).from(pushDevices);
    if (devices.length === 0) return;
    await jobs.enqueueAll(
      tx,
      'push-sale',
      devices.map(({ deviceId }) => ({ deviceId, orderId })),
    );
  });
}

/**
 * Sends a message to a device. Removes the device if its browser no longer accepts messages. Returns `gone` then, and if
 * the device was removed before. Rejects if the push service does not accept the message.
 */
export async function sendToDevice(
  { db, clock, push }: Scope,
  deviceId: string,
  message: PushMessage,
): Promise<'sent' | 'gone'> {
  const [device] = await db.select().from(pushDevices).where(eq(pushDevices.id, deviceId));
  if (!device) return 'gone';
  const result = await push.send(await readPushKeys({ db, push }), device, message);
  // The browser may have been added again in the meantime, with other keys. Then it is not gone.
  if (result === 'gone')
    await db.delete(pushDevices).where(sql`${pushDevices.id} = ${deviceId} and ${pushDevices.auth} = ${device.auth}`);
  else await db.update(pushDevices).set({ lastSentAt: clock.now() }).where(eq(pushDevices.id, deviceId));
  return result;
}
