import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm';
import { toShopDay } from '#contract/calendar.ts';
import type { ListQuery, ListResponse } from '#contract/lists.ts';
import type { giftCardFilters, giftCardSorts } from '#contract/owner/gift-cards.ts';
import { Refusal } from '#contract/refusals.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { newId } from '../columns.ts';
import type { DeleteOldRows } from '../delete-old-rows.ts';
import { readList, type List } from '../lists.ts';
import { deletePayerEmails } from '../payments/payments.ts';
import { createReadableNumber } from '../readable-number.ts';
import { endCodes } from './codes.ts';
import { giftCards, giftCardUses, type GiftCard } from './gift-cards.sql.ts';

export type { GiftCard } from './gift-cards.sql.ts';

type BoughtCard = Pick<
  GiftCard,
  | 'isForFrame'
  | 'amountCents'
  | 'recipientName'
  | 'recipientEmail'
  | 'senderName'
  | 'buyerEmail'
  | 'message'
  | 'deliverOn'
  | 'customerId'
>;

/** Stores an unpaid gift card. `purchaseId` is that of the browser's earlier try, if there is one. */
export async function createGiftCard(
  tx: Db,
  clock: Clock,
  bought: BoughtCard,
  purchaseId: string = newId(),
): Promise<GiftCard> {
  const card: GiftCard = {
    ...bought,
    id: newId(),
    number: createReadableNumber('GC'),
    purchaseId,
    balanceCents: 0,
    state: 'unpaid',
    paymentId: null,
    lastFour: null,
    sentAt: null,
    paidAt: null,
    voidedAt: null,
    createdAt: clock.now(),
  };
  await tx.insert(giftCards).values(card);
  return card;
}

export async function findGiftCardById(db: Db, id: string): Promise<GiftCard | undefined> {
  const [card] = await db.select().from(giftCards).where(eq(giftCards.id, id));
  return card;
}
async function lockGiftCard(tx: Db, id: string): Promise<GiftCard | undefined> {
  const [card] = await tx.select().from(giftCards).where(eq(giftCards.id, id)).for('no key update');
  return card;
}

/** All cards of a purchase, paid or not. Locks them, so that a purchase is paid once. */
export const lockPurchase = (tx: Db, purchaseId: string): Promise<GiftCard[]> =>
  tx
    .select()
    .from(giftCards)
    .where(eq(giftCards.purchaseId, purchaseId))
    .orderBy(asc(giftCards.id))
    .for('no key update');

/** Makes a paid card usable, once. Returns undefined if its purchase was already paid. */
export async function activateGiftCard(
  tx: Db,
  clock: Clock,
  id: string,
  paymentId: string,
): Promise<GiftCard | undefined> {
  const foundGiftCard = await findGiftCardById(tx, id);
  const cardsOfPurchase = foundGiftCard ? await lockPurchase(tx, foundGiftCard.purchaseId) : [];
  if (cardsOfPurchase.length === 0 || cardsOfPurchase.some((it) => it.paidAt !== null)) return undefined;
  const [active] = await tx
    .update(giftCards)
    .set({ state: 'active', paidAt: clock.now(), paymentId, balanceCents: sql`${giftCards.amountCents}` })
    .where(and(eq(giftCards.id, id), eq(giftCards.state, 'unpaid')))
    .returning();
  return active;
}

/** Voids the card of a purchase that was refunded. A card that is not active does not change. */
export const voidRefundedGiftCard = (tx: Db, clock: Clock, id: string) =>
  tx
    .update(giftCards)
    .set({ state: 'void', voidedAt: clock.now() })
    .where(and(eq(giftCards.id, id), eq(giftCards.state, 'active')));

/** Marks the email to the recipient as queued. Returns false if it was queued before. */
export async function markSent(tx: Db, clock: Clock, id: string): Promise<boolean> {
  const markedCards = await tx
    .update(giftCards)
    .set({ sentAt: clock.now() })
    .where(and(eq(giftCards.id, id), eq(giftCards.state, 'active'), isNull(giftCards.sentAt)))
    .returning({ id: giftCards.id });
  return markedCards.length > 0;
}

/** Cards that must be emailed by `today`, in the shop's calendar. */
export const findDueGiftCards = (db: Db, today: string, limit: number): Promise<GiftCard[]> =>
  db
    .select()
    .from(giftCards)
    .where(and(eq(giftCards.state, 'active'), isNull(giftCards.sentAt), lte(giftCards.deliverOn, today)))
    .orderBy(asc(giftCards.deliverOn), asc(giftCards.id))
    .limit(limit);

/** The sum of what is left on all active cards, in cents. The shop owes it until it is spent. */
export async function sumOwedOnGiftCards(db: Db): Promise<{ cents: number; cards: number }> {
  const [sum] = await db
    .select({
      cents: sql<number>`coalesce(sum(${giftCards.balanceCents}), 0)`.mapWith(Number),
      cards: sql<number>`count(*) filter (where ${giftCards.balanceCents} > 0)`.mapWith(Number),
    })
    .from(giftCards)
    .where(eq(giftCards.state, 'active'));
  return sum!;
}

// ---------------------------------------------------------------- the owner's list

const wasPaid = ne(giftCards.state, 'unpaid');
type Sort = (typeof giftCardSorts)[number];
type Filter = (typeof giftCardFilters)[number];
const list: List<typeof giftCards, Sort, Filter> = {
  table: giftCards,
  sorts: { date: [giftCards.createdAt, giftCards.id] },
  sort: '-date',
  filters: {
    active: eq(giftCards.state, 'active'),
    void: eq(giftCards.state, 'void'),
  },
  search: (isIn) => isIn(giftCards.search),
};

/** Paid gift cards, newest first. The search matches numbers, names, addresses and the last four characters. */
export const listGiftCards = (db: Db, listQuery: ListQuery<Sort, Filter>): Promise<ListResponse<GiftCard>> =>
  readList(db, list, listQuery, wasPaid);

/**
 * Voids an active card. Returns it as it was.
 *
 * @param refund whether the purchase is refunded. This is refused once a part of the card was used.
 */
export async function voidGiftCard(
  tx: Db,
  clock: Clock,
  id: string,
  { reason, refund }: { reason: string; refund: boolean },
  by: AuditAuthor,
): Promise<GiftCard> {
  const card = await lockGiftCard(tx, id);
  if (!card || card.state === 'unpaid') throw new Refusal('not-found');
  if (card.state !== 'active') throw new Refusal('gift-card-not-active');
  if (refund && (card.balanceCents < card.amountCents || (await wasSpent(tx, id)))) throw new Refusal('gift-card-used');
  await tx.update(giftCards).set({ state: 'void', voidedAt: clock.now() }).where(eq(giftCards.id, id));
  await endCodes(tx, clock, id);
  await recordAuditEntry(tx, clock, {
    act: 'void-gift-card',
    subjectId: id,
    before: { state: card.state, balanceCents: card.balanceCents },
    after: { state: 'void', reason, refund },
    ...by,
  });
  return card;
}

const wasSpent = async (db: Db, id: string) =>
  (await db.$count(giftCardUses, and(eq(giftCardUses.giftCardId, id), ne(giftCardUses.state, 'none')))) > 0;

/** Ends the codes of an active card and sets the address that gets the next one. */
export async function readdressGiftCard(
  tx: Db,
  clock: Clock,
  id: string,
  recipientEmail: string,
  by: AuditAuthor,
): Promise<GiftCard> {
  const card = await lockGiftCard(tx, id);
  if (!card || card.state === 'unpaid') throw new Refusal('not-found');
  if (card.state !== 'active') throw new Refusal('gift-card-not-active');
  const now = clock.now();
  const [changed] = await tx
    .update(giftCards)
    .set({
      recipientEmail,
      sentAt: now,
      deliverOn: sql`coalesce(${giftCards.deliverOn}, ${toShopDay(now)})`,
    })
    .where(eq(giftCards.id, id))
    .returning();
  await endCodes(tx, clock, id);
  await recordAuditEntry(tx, clock, {
    act: 'resend-gift-card',
    subjectId: id,
    before: { lastFour: card.lastFour },
    after: { isNewAddress: card.recipientEmail !== recipientEmail },
    ...by,
  });
  return changed!;
}

// ---------------------------------------------------------------- personal data

/** A customer. `email` is the proven address; undefined if it is not proven, because it may be someone else's. */
interface Buyer {
  customerId: string;
  email: string | undefined;
}
const isBoughtBy = ({ customerId, email }: Buyer) =>
  or(eq(giftCards.customerId, customerId), email === undefined ? undefined : eq(giftCards.buyerEmail, email));

/** The paid gift cards that a customer has bought, newest first. */
export const readGiftCardsBoughtBy = (db: Db, buyer: Buyer) =>
  db
    .select()
    .from(giftCards)
    .where(and(isNotNull(giftCards.paidAt), isBoughtBy(buyer)))
    .orderBy(desc(giftCards.createdAt), desc(giftCards.id));

/** The ids of all gift cards of a customer, paid or not. */
export async function findGiftCardIdsOf(db: Db, buyer: Buyer): Promise<string[]> {
  const rows = await db.select({ id: giftCards.id }).from(giftCards).where(isBoughtBy(buyer));
  return rows.map((it) => it.id);
}

/**
 * Deletes the buyer's data of a customer's gift cards. The money stays with the recipients. A card that waits for its
 * day keeps the recipient, the sender's name and the message until it is sent. Returns the ids of the cards whose data
 * is deleted completely.
 */
export async function deleteGiftCardDataOf(tx: Db, buyer: Buyer): Promise<string[]> {
  const boughtCards = await tx
    .select()
    .from(giftCards)
    .where(isBoughtBy(buyer))
    .orderBy(asc(giftCards.id))
    .for('no key update');
  const ids = boughtCards.map((it) => it.id);
  if (ids.length === 0) return [];
  await tx.update(giftCards).set({ customerId: null, buyerEmail: '' }).where(inArray(giftCards.id, ids));
  await deletePersonalData(tx, ids);
  return boughtCards.filter((it) => !isWaitingForItsDay(it)).map((it) => it.id);
}

const isWaitingForItsDay = ({ state, deliverOn, sentAt }: GiftCard) =>
  state === 'active' && deliverOn !== null && sentAt === null;

/** Deletes the names, addresses and the message of these cards, except of cards that wait for their day. */
export async function deletePersonalData(tx: Db, ids: string[]): Promise<void> {
  const isDelivered = or(ne(giftCards.state, 'active'), isNull(giftCards.deliverOn), isNotNull(giftCards.sentAt));
  if (ids.length === 0) return;
  await tx
    .update(giftCards)
    .set({
      recipientName: '',
      senderName: '',
      buyerEmail: '',
      message: null,
      recipientEmail: sql`case when ${giftCards.recipientEmail} is null then null else '' end`,
    })
    .where(and(inArray(giftCards.id, ids), isDelivered));
}

/** Deletes the personal data of gift cards that were bought before the given time. The balance stays. */
export const deleteOldGiftCardData: DeleteOldRows = (db, before, limit) =>
  db.transaction(async (tx) => {
    const oldRows = await tx
      .select({ id: giftCards.id })
      .from(giftCards)
      .where(
        and(
          lt(giftCards.createdAt, before),
          ne(giftCards.recipientName, ''),
          or(ne(giftCards.state, 'active'), isNull(giftCards.deliverOn), isNotNull(giftCards.sentAt)),
        ),
      )
      .orderBy(asc(giftCards.createdAt))
      .limit(limit);
    const ids = oldRows.map((it) => it.id);
    // Payments before cards, in the same sequence as the settling of payments.
    await deletePayerEmails(tx, ids);
    await deletePersonalData(tx, ids);
    return oldRows.length;
  });
