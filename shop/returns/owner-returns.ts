import { count, eq, min } from 'drizzle-orm';
import type { output } from 'zod/mini';
import { Refusal } from '#contract/refusals.ts';
import {
  isOpenReturn,
  type ApproveReturnForm,
  type CloseReturnForm,
  type DeclineReturnForm,
  type ReceiveReturnForm,
  type ReturnState,
} from '#contract/return-forms.ts';
import type { AuditAct } from '#contract/owner/audit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Imaging } from '../ports/imaging.ts';
import type { Jobs } from '../ports/jobs.ts';
import type { Storage } from '../ports/storage.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import { newId } from '../columns.ts';
import { eraseFiles, storeFilesThenRow, type NewFile } from '../files/files.ts';
import { lockOrder, type Order } from '../orders/orders.ts';
import type { ReceivedFile } from '../photos/add-photo.ts';
import { developPicture, isPdf } from '../photos/develop-picture.ts';
import {
  changeReturn,
  lockReturn,
  mailReturnNews,
  recordReturnEvent,
  findReturnById,
  returnFolder,
  type FullReturn,
} from './returns.ts';
import { returns } from './returns.sql.ts';

interface Scope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
  link: (path: string) => string;
}

interface ReturnApproval extends output<typeof ApproveReturnForm> {
  label?: ReceivedFile | undefined;
  /** A repeated request with the same key sends one email. */
  key: string;
}

/**
 * Approves a return with an answer, a label file or a link, and emails the customer. The owner may approve it again to
 * change the label. The earlier label is then deleted.
 */
export async function approveReturn(
  scope: Scope & { imaging: Imaging; storage: Storage },
  id: string,
  { answer, labelLink, label, tellCustomer, key }: ReturnApproval,
  by: AuditAuthor,
): Promise<FullReturn> {
  const foundReturn = await findReturnById(scope.db, id);
  if (!foundReturn) throw new Refusal('not-found');
  const file = label && (await checkLabel(scope, label));
  let replaced: string[] = [];
  const storeLabel = () =>
    changeAndRecord(scope, id, by, 'approve-return', async (tx, before, order) => {
      if (before.state !== 'requested' && before.state !== 'approved') throw new Refusal('return-changed');
      const hasLabel = file !== undefined || before.labelKey !== null || labelLink !== '';
      if (answer === '' && !hasLabel) throw new Refusal('return-answer-needed');
      replaced = file && before.labelKey !== null ? [before.labelKey] : [];
      const returnAfter = await changeReturn(tx, scope.clock, before, {
        state: 'approved',
        answer: answer || null,
        answeredAt: scope.clock.now(),
        labelLink: labelLink || null,
        ...(file && { labelKey: file.key, labelBytes: file.sizeBytes }),
      });
      if (before.state === 'requested') await recordReturnEvent(tx, scope.clock, order, before.frames, 'approved');
      if (tellCustomer)
        await mailReturnNews(tx, scope, order, { id, frames: before.frames, what: 'approved', answer, hasLabel, key });
      return { after: returnAfter, facts: { hasLabel, tellCustomer } };
    });
  const approvedReturn = await storeFilesThenRow(scope.storage, file ? [file] : [], storeLabel);
  await eraseFiles(scope.storage, replaced);
  return approvedReturn;
}

/** All labels have this sender, because pictures of one sender are decoded one at a time. */
const ownerId = 'owner';

/** Checks a label: a PDF, or an image, which is decoded and encoded again. */
async function checkLabel(
  scope: Parameters<typeof developPicture>[0],
  label: ReceivedFile,
): Promise<NewFile & { sizeBytes: number }> {
  const { path, sizeBytes } = label;
  if (await isPdf(path))
    return { key: `${returnFolder}${newId()}.pdf`, path, contentType: 'application/pdf', sizeBytes };
  if (!(await scope.imaging.sniff(path))) throw new Refusal('label-type');
  return developPicture(scope, ownerId, label, returnFolder);
}

/** Declines a return with a reason, and emails the customer. A second call with the same reason does nothing. */
export const declineReturn = (
  scope: Scope,
  id: string,
  { reason, tellCustomer }: output<typeof DeclineReturnForm>,
  by: AuditAuthor,
): Promise<FullReturn> =>
  changeAndRecord(scope, id, by, 'decline-return', async (tx, before, order) => {
    if (before.state === 'declined' && before.answer === reason) return { after: before };
    if (before.state !== 'requested') throw new Refusal('return-changed');
    const now = scope.clock.now();
    const returnAfter = await changeReturn(tx, scope.clock, before, {
      state: 'declined',
      answer: reason,
      answeredAt: now,
      endedAt: now,
    });
    await recordReturnEvent(tx, scope.clock, order, before.frames, 'declined');
    if (tellCustomer)
      await mailReturnNews(tx, scope, order, { id, frames: before.frames, what: 'declined', answer: reason });
    return { after: returnAfter, facts: { tellCustomer } };
  });

/**
 * Records that the package of a return has arrived, and emails the customer. A customer may send a package before the
 * owner has answered. A second call does nothing.
 */
export const receiveReturn = (
  scope: Scope,
  id: string,
  { tellCustomer }: output<typeof ReceiveReturnForm>,
  by: AuditAuthor,
): Promise<FullReturn> =>
  changeAndRecord(scope, id, by, 'receive-return', async (tx, before, order) => {
    if (before.state === 'received') return { after: before };
    if (before.state !== 'requested' && before.state !== 'approved') throw new Refusal('return-changed');
    const returnAfter = await changeReturn(tx, scope.clock, before, {
      state: 'received',
      receivedAt: scope.clock.now(),
    });
    await recordReturnEvent(tx, scope.clock, order, before.frames, 'received');
    if (tellCustomer) await mailReturnNews(tx, scope, order, { id, frames: before.frames, what: 'received' });
    return { after: returnAfter, facts: { tellCustomer } };
  });

/** Ends a return without a refund, and emails the customer. A second call with the same outcome does nothing. */
export const closeReturn = (
  scope: Scope,
  id: string,
  { outcome, words, tellCustomer }: output<typeof CloseReturnForm>,
  by: AuditAuthor,
): Promise<FullReturn> =>
  changeAndRecord(scope, id, by, 'close-return', async (tx, before, order) => {
    if (before.state === outcome && (before.closingWords ?? '') === words) return { after: before };
    if (!isOpenReturn(before)) throw new Refusal('return-changed');
    const returnAfter = await changeReturn(tx, scope.clock, before, {
      state: outcome,
      closingWords: words || null,
      endedAt: scope.clock.now(),
    });
    await recordReturnEvent(tx, scope.clock, order, before.frames, outcome);
    if (tellCustomer)
      await mailReturnNews(tx, scope, order, { id, frames: before.frames, what: outcome, answer: words });
    return { after: returnAfter, facts: { tellCustomer } };
  });

/**
 * Locks the order and the return, runs a change, and records it. The audit trail has no texts, because they are deleted
 * with the customer's data.
 */
async function changeAndRecord(
  { db, clock }: Scope,
  id: string,
  by: AuditAuthor,
  name: AuditAct,
  change: (tx: Db, before: FullReturn, order: Order) => Promise<{ after: FullReturn; facts?: object }>,
): Promise<FullReturn> {
  const foundReturn = await findReturnById(db, id);
  if (!foundReturn) throw new Refusal('not-found');
  return db.transaction(async (tx) => {
    const order = (await lockOrder(tx, foundReturn.orderId))!;
    const returnBefore = await lockReturn(tx, id);
    const { after, facts } = await change(tx, returnBefore, order);
    await recordAuditEntry(tx, clock, {
      act: name,
      subjectId: id,
      before: { state: returnBefore.state },
      after: { state: after.state, orderId: order.id, ...facts },
      ...by,
    });
    return after;
  });
}

/**
 * Returns a function that ends a return with a refund, in the refund's own transaction. That transaction has locked the
 * order. Refuses the return of another order, and one that has ended.
 */
export const endReturnWithRefund =
  (clock: Clock, returnId: string) =>
  async (tx: Db, order: Order, refundId: string): Promise<void> => {
    const returnBefore = await lockReturn(tx, returnId);
    if (returnBefore.orderId !== order.id) throw new Refusal('not-found');
    if (!isOpenReturn(returnBefore)) throw new Refusal('return-changed');
    const refundedChange = { state: 'refunded', refundId, endedAt: clock.now() } as const;
    await changeReturn(tx, clock, returnBefore, refundedChange);
    await recordReturnEvent(tx, clock, order, returnBefore.frames, 'refunded');
  };

/** The number of returns in a state, and the time of the oldest one; undefined if there are none. */
export async function countReturns(db: Db, state: Extract<ReturnState, 'requested' | 'received'>) {
  const sinceColumn = state === 'requested' ? returns.requestedAt : returns.receivedAt;
  const [found] = await db
    .select({ count: count(), since: min(sinceColumn) })
    .from(returns)
    .where(eq(returns.state, state));
  return found?.since ? { count: found.count, since: found.since } : undefined;
}
