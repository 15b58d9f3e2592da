import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import { formatDollars, leastChargeCents } from '#contract/catalog.ts';
import { giftCardHoldMinutes } from '#contract/gift-card-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { createQueryByValues } from '../rows-among.ts';
import { findGiftCardByCode } from './codes.ts';
import { giftCards, giftCardUses, type GiftCard, type GiftCardUse } from './gift-cards.sql.ts';

/** The part of an amount that one gift card pays. */
export interface GiftCardShare {
  giftCardId: string;
  lastFour: string;
  amountCents: number;
}

/**
 * Divides an amount among gift cards, in the order in which they were entered. What is left for the payment card is
 * zero or at least the smallest amount that a card can be charged. Cards that are not needed get no share.
 */
export function distributeAmount<Card extends { availableCents: number }>(
  dueCents: number,
  cards: Card[],
): { card: Card; amountCents: number }[] {
  let leftCents = dueCents;
  const shares = cards.map((card) => {
    const amountCents = Math.min(leftCents, card.availableCents);
    leftCents -= amountCents;
    return { card, amountCents };
  });
  let missingCents = leftCents > 0 && leftCents < leastChargeCents ? leastChargeCents - leftCents : 0;
  for (const cardShare of shares.toReversed()) {
    const reductionCents = Math.min(missingCents, cardShare.amountCents);
    cardShare.amountCents -= reductionCents;
    missingCents -= reductionCents;
  }
  return shares.filter((it) => it.amountCents > 0);
}

/** The card of a code, and the part of its balance that no other checkout reserves now. */
export async function readAvailableAmount(
  { db, clock }: { db: Db; clock: Clock },
  card: GiftCard,
  ownCartIds: string[] = [],
): Promise<number> {
  const [held] = await db
    .select({ cents: sql<number>`coalesce(sum(${giftCardUses.amountCents}), 0)`.mapWith(Number) })
    .from(giftCardUses)
    .where(
      and(
        eq(giftCardUses.giftCardId, card.id),
        eq(giftCardUses.state, 'none'),
        gt(giftCardUses.holdEndsAt, clock.now()),
        ownCartIds.length > 0 ? notInArray(giftCardUses.cartId, ownCartIds) : undefined,
      ),
    );
  return Math.max(0, card.balanceCents - (held?.cents ?? 0));
}

/**
 * Reads how much of an amount the cards of these codes pay, and locks the cards until the transaction ends. Of two
 * checkouts that enter the same card at once, the later one sees the reservation of the earlier one. The reservations
 * of `ownCartIds`, the earlier carts of this browser, do not count.
 *
 * @throws Refusal if a code is unknown, or if its card has no money left or is reserved by another checkout
 */
export async function lockGiftCardShares(
  tx: Db,
  clock: Clock,
  codes: string[],
  { dueCents, ownCartIds }: { dueCents: number; ownCartIds: string[] },
): Promise<GiftCardShare[]> {
  /** The last four characters of each entered code, by card, in the order in which the cards were entered. */
  const lastFourById = new Map<string, string>();
  for (const code of codes) {
    const { id } = await findGiftCardByCode(tx, code);
    if (!lastFourById.has(id)) lastFourById.set(id, code.slice(-4));
  }
  const lockedCards = new Map((await lockGiftCards(tx, [...lastFourById.keys()])).map((it) => [it.id, it]));
  const cards = [];
  for (const [id, lastFour] of lastFourById) {
    const card = lockedCards.get(id);
    if (card?.state !== 'active') throw new Refusal('gift-card-void');
    if (card.balanceCents === 0) throw new Refusal('gift-card-empty', { last: lastFour });
    const availableCents = await readAvailableAmount({ db: tx, clock }, card, ownCartIds);
    if (availableCents === 0)
      throw new Refusal('gift-card-reserved', { last: lastFour, minutes: String(giftCardHoldMinutes) });
    cards.push({ id, lastFour, availableCents });
  }
  return distributeAmount(dueCents, cards).map(({ card: { id, lastFour }, amountCents }) => ({
    giftCardId: id,
    lastFour,
    amountCents,
  }));
}

/** Locks cards in ascending id order, so that two transactions that lock the same cards cannot deadlock. */
const lockGiftCards = (tx: Db, ids: string[]): Promise<GiftCard[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : tx.select().from(giftCards).where(inArray(giftCards.id, ids)).orderBy(asc(giftCards.id)).for('no key update');

/** Reserves shares for a cart for some minutes, and ends the reservations of this browser's earlier carts. */
export async function reserveGiftCardShares(
  tx: Db,
  clock: Clock,
  cartId: string,
  shares: GiftCardShare[],
  ownCartIds: string[],
): Promise<void> {
  const now = clock.now();
  if (ownCartIds.length > 0)
    await tx
      .update(giftCardUses)
      .set({ holdEndsAt: now })
      .where(
        and(inArray(giftCardUses.cartId, ownCartIds), eq(giftCardUses.state, 'none'), gt(giftCardUses.holdEndsAt, now)),
      );
  if (shares.length === 0) return;
  const holdEndsAt = new Date(now.getTime() + giftCardHoldMinutes * 60_000);
  await tx.insert(giftCardUses).values(
    shares.map(({ giftCardId, lastFour, amountCents }, position) => ({
      cartId,
      giftCardId,
      lastFour,
      position,
      amountCents,
      state: 'none' as const,
      holdEndsAt,
    })),
  );
}

const readUsesOfCart = (db: Db, cartId: string): Promise<GiftCardUse[]> =>
  db.select().from(giftCardUses).where(eq(giftCardUses.cartId, cartId)).orderBy(asc(giftCardUses.giftCardId));

/**
 * Takes the shares of a cart from its gift cards, directly before the card is charged. Each is one guarded update, so
 * no balance falls below zero, whatever happens at once. A repeated call takes nothing more. Returns false, and takes
 * nothing, if one of the cards no longer has the money.
 */
export async function claimGiftCards(tx: Db, cartId: string): Promise<boolean> {
  for (const { giftCardId, amountCents, state } of await readUsesOfCart(tx, cartId)) {
    if (state !== 'none') continue;
    const takenRows = await tx
      .update(giftCards)
      .set({ balanceCents: sql`${giftCards.balanceCents} - ${amountCents}` })
      .where(
        and(
          eq(giftCards.id, giftCardId),
          eq(giftCards.state, 'active'),
          sql`${giftCards.balanceCents} >= ${amountCents}`,
        ),
      )
      .returning({ id: giftCards.id });
    if (takenRows.length === 0) {
      await releaseGiftCards(tx, cartId);
      return false;
    }
    await changeUseState(tx, cartId, giftCardId, 'none', 'held');
  }
  return true;
}

/** Gives back what `claimGiftCards` has taken, if the cart was not paid. A second call changes nothing. */
export async function releaseGiftCards(tx: Db, cartId: string): Promise<void> {
  for (const { giftCardId, amountCents } of await readUsesOfCart(tx, cartId))
    if (await changeUseState(tx, cartId, giftCardId, 'held', 'none')) await addToBalance(tx, giftCardId, amountCents);
}

const changeUseState = async (tx: Db, cartId: string, giftCardId: string, from: 'none' | 'held', to: 'none' | 'held') =>
  (
    await tx
      .update(giftCardUses)
      .set({ state: to })
      .where(
        and(eq(giftCardUses.cartId, cartId), eq(giftCardUses.giftCardId, giftCardId), eq(giftCardUses.state, from)),
      )
      .returning({ cartId: giftCardUses.cartId })
  ).length > 0;

const addToBalance = (tx: Db, giftCardId: string, amountCents: number) =>
  tx
    .update(giftCards)
    .set({ balanceCents: sql`${giftCards.balanceCents} + ${amountCents}` })
    .where(eq(giftCards.id, giftCardId));

/** Records that a cart whose shares were taken has become this order. */
export async function recordGiftCardsSpent(tx: Db, cartId: string, orderId: string): Promise<void> {
  await tx
    .update(giftCardUses)
    .set({ state: 'spent', orderId })
    .where(and(eq(giftCardUses.cartId, cartId), eq(giftCardUses.state, 'held')));
}

/** Whether an unpaid cart used a gift card whose balance is now too low. */
export async function hasLostGiftCard(db: Db, cartId: string): Promise<boolean> {
  const [lost] = await db
    .select({ id: giftCards.id })
    .from(giftCardUses)
    .innerJoin(giftCards, eq(giftCards.id, giftCardUses.giftCardId))
    .where(
      and(
        eq(giftCardUses.cartId, cartId),
        eq(giftCardUses.state, 'none'),
        sql`(${giftCards.state} <> 'active' or ${giftCards.balanceCents} < ${giftCardUses.amountCents})`,
      ),
    )
    .limit(1);
  return lost !== undefined;
}

/**
 * Returns a part of an order's refund to the gift cards that paid it, in the order in which they paid, and at most what
 * each has paid. The caller has locked the order, so that concurrent refunds return nothing twice. A card that the
 * owner has voided gets its part too, but stays void.
 */
export async function returnToGiftCards(tx: Db, orderId: string, amountCents: number): Promise<GiftCardShare[]> {
  let leftCents = amountCents;
  const returnedShares = (await readGiftCardsOfOrders(tx, [orderId]))
    .map((use) => {
      const returnedCents = Math.min(leftCents, use.amountCents - use.returnedCents);
      leftCents -= returnedCents;
      return { giftCardId: use.giftCardId, lastFour: use.lastFour, amountCents: returnedCents };
    })
    .filter((it) => it.amountCents > 0);
  if (leftCents > 0)
    throw new Error(`${formatDollars(leftCents)} of a refund of order ${orderId} belongs to no gift card`);
  for (const { giftCardId, amountCents: part } of returnedShares.toSorted((a, b) =>
    a.giftCardId < b.giftCardId ? -1 : 1,
  )) {
    await tx
      .update(giftCardUses)
      .set({ returnedCents: sql`${giftCardUses.returnedCents} + ${part}` })
      .where(and(eq(giftCardUses.orderId, orderId), eq(giftCardUses.giftCardId, giftCardId)));
    await addToBalance(tx, giftCardId, part);
  }
  return returnedShares;
}

interface SpentGiftCard {
  orderId: string;
  giftCardId: string;
  lastFour: string;
  amountCents: number;
  returnedCents: number;
}
/** The gift cards that paid these orders, in the order in which they were entered. */
export async function readGiftCardsOfOrders(db: Db, orderIds: string[]): Promise<SpentGiftCard[]> {
  const rows = await readSpentGiftCardsAmong(db, orderIds);
  return rows.map((it) => ({ ...it, orderId: it.orderId! }));
}
const readSpentGiftCardsAmong = createQueryByValues(giftCardUses.orderId, (db, isAmong) =>
  db
    .select({
      orderId: giftCardUses.orderId,
      giftCardId: giftCardUses.giftCardId,
      lastFour: giftCardUses.lastFour,
      amountCents: giftCardUses.amountCents,
      returnedCents: giftCardUses.returnedCents,
    })
    .from(giftCardUses)
    .where(isAmong)
    .orderBy(asc(giftCardUses.orderId), asc(giftCardUses.position)),
);
