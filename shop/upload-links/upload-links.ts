import { lifetimes } from '#contract/limits.ts';
import { Refusal } from '#contract/refusals.ts';
import { findCustomerById, type Customer } from '../accounts/accounts.ts';
import { lockCustomer } from '../accounts/lock-customer.ts';
import { newId } from '../columns.ts';
import { readFramesOfOrders, lockOrdersWithFrames, isOpen, type Frame } from '../frames/frames.ts';
import { queueMail } from '../mail/mail.ts';
import { findOrderById, readOrdersOf } from '../orders/orders.ts';
import { endLinkAndArrivals, type ArrivalTarget } from '../photos/arrivals.ts';
import { addPhotoTo, type ReceivedFile } from '../photos/add-photo.ts';
import { deletePhoto } from '../photos/edit-photo.ts';
import { findPhotoById, type PhotoScope, type Upload } from '../photos/photos.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import type { Jobs } from '../ports/jobs.ts';
import { finalizeFrameInTransaction, readVideosOfUploads } from '../production/production.ts';
import {
  makeTokensReadOnly,
  hashToken,
  lockToken,
  lockTokens,
  issueToken,
  findValidTokens,
  readToken,
  revokeTokens,
} from '../tokens/tokens.ts';

// An upload link lets a customer add photos to their frames without signing in. The owner creates it. The customer gets
// it by mail, unless the owner sends it another way. It is valid for seven days, and the owner can revoke it at any
// time.

const purpose = 'upload-link';

interface LinkScope {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

export interface UploadLink {
  token: string;
  customer: Customer;
  expiresAt: Date;
  /** True after the customer's frames were finalized through an upload link. The link then only shows photos. */
  isClosed: boolean;
}

/**
 * Creates a link that the owner can give to the customer. With `tellCustomer`, mails another link to the customer.
 * `endUploadLinks` revokes both links.
 */
export async function makeUploadLink(
  { db, clock, jobs }: LinkScope,
  customerId: string,
  { tellCustomer }: { tellCustomer: boolean },
) {
  const seconds = lifetimes.uploadLinkDays * 86_400;
  return db.transaction(async (tx) => {
    const customer = await lockCustomer(tx, customerId);
    if (!customer) throw new Refusal('not-found');
    const token = await issueToken(tx, clock, { purpose, subjectId: customerId, seconds });
    if (tellCustomer)
      await queueMail(
        tx,
        { jobs, clock },
        {
          event: `upload-link:${customerId}:${newId()}`,
          to: customer.email,
          content: {
            kind: 'upload-link',
            firstName: customer.firstName,
            uploadUrl: { link: 'customer-upload', subjectId: customerId },
          },
        },
      );
    return {
      path: `/customer-upload?token=${token}`,
      expiresAt: new Date(clock.now().getTime() + seconds * 1000),
    };
  });
}

export async function uploadLinksOf(db: Db, customerId: string) {
  if (!(await findCustomerById(db, customerId))) throw new Refusal('not-found');
  return findValidTokens(db, purpose, customerId);
}

/**
 * Revokes all upload links of a customer. Complete photos stay. Incomplete uploads through these links are deleted.
 *
 * @param also writes more in the same transaction
 */
export async function endUploadLinks(
  scope: Pick<PhotoScope, 'db' | 'clock' | 'storage'>,
  customerId: string,
  also?: (tx: Db) => Promise<void>,
) {
  if (!(await findCustomerById(scope.db, customerId))) throw new Refusal('not-found');
  await endLinkAndArrivals(scope, async (tx) => {
    await lockTokens(tx, purpose, customerId);
    const guestIds = await revokeTokens(tx, scope.clock, purpose, customerId);
    await also?.(tx);
    return { guestIds };
  });
}

/** Reads the upload link of a token. Returns undefined if the token is unknown, revoked or expired. */
export async function readUploadLink(db: Db, token: string): Promise<UploadLink | undefined> {
  const foundToken = await readToken(db, purpose, token);
  const customer = foundToken && (await findCustomerById(db, foundToken.subjectId));
  return customer && { token, customer, expiresAt: foundToken.expiresAt, isClosed: foundToken.closedAt !== null };
}

/** The frames to which a customer's upload link adds photos, in the order of purchase. */
export async function findFramesWithRoom(db: Db, customerId: string): Promise<Frame[]> {
  const orders = (await readOrdersOf(db, customerId)).toReversed();
  const frames = await readFramesOfOrders(
    db,
    orders.map((it) => it.id),
  );
  return frames.filter((it) => it.isActive);
}

export async function addByLink(
  scope: PhotoScope,
  link: UploadLink,
  file: ReceivedFile,
  key?: string,
): Promise<Upload> {
  if (link.isClosed) throw new Refusal('link-closed');
  return addPhotoTo(scope, await findTargetByLink(scope.db, link), file, key);
}
/** The frames and the sender of photos that are added through a link. */
export async function findTargetByLink(db: Db, { token, customer }: UploadLink): Promise<ArrivalTarget> {
  return {
    frames: await findFramesWithRoom(db, customer.id),
    keysOf: customer.id,
    sender: customer.id,
    guestId: hashToken(token),
    onAdd: (tx) => refuseUnlessOpen(tx, token),
  };
}

export async function deleteByLink(scope: PhotoScope, { token, customer }: UploadLink, id: string): Promise<void> {
  const upload = await findPhotoById(scope.db, id);
  const order = upload && (await findOrderById(scope.db, upload.orderId));
  if (!upload || order?.customerId !== customer.id) throw new Refusal('not-found');
  const isLocked = async (tx: Db) => (await readVideosOfUploads(tx, [upload.id])).length > 0;
  // Lock the link before the frame, as finalizing through the link does, to avoid deadlocks.
  await deletePhoto(scope, upload, isLocked, (tx) => refuseUnlessOpen(tx, token));
}

/**
 * Finalizes the open frames with new photos in one transaction, and closes the customer's links, so that they only show
 * photos. A photo that is being added at the same time is either added before or refused.
 */
export async function finalizeByLink(scope: LinkScope, { token, customer }: UploadLink): Promise<void> {
  await scope.db.transaction(async (tx) => {
    const wasLinkOpen = await makeTokensReadOnly(tx, scope.clock, { purpose, subjectId: customer.id, token });
    if (!wasLinkOpen) throw await createInvalidLinkRefusal(tx, token);
    await lockOrdersWithFrames(tx, await readOrdersOf(tx, customer.id));
    const openFrames = (await findFramesWithRoom(tx, customer.id)).filter(isOpen);
    const filledFrames = openFrames.filter((it) => it.usedPhotos > it.sealedPhotos);
    if (filledFrames.length === 0) throw new Refusal(openFrames.length > 0 ? 'no-photos-yet' : 'frame-finalized');
    for (const { id } of filledFrames) await finalizeFrameInTransaction(tx, scope, id);
  });
}

async function refuseUnlessOpen(tx: Db, token: string): Promise<void> {
  if (!(await lockToken(tx, purpose, token))) throw await createInvalidLinkRefusal(tx, token);
}
const createInvalidLinkRefusal = async (tx: Db, token: string) =>
  new Refusal((await readToken(tx, purpose, token)) ? 'link-closed' : 'link-expired');
