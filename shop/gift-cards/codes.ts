import { randomInt } from 'node:crypto';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { giftCardCodeLength, tidyGiftCardCode } from '#contract/gift-card-forms.ts';
import { Refusal } from '#contract/refusals.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { unambiguousCharacters } from '../readable-number.ts';
import { hashToken } from '../tokens/tokens.ts';
import { giftCardCodes, giftCards, type GiftCard } from './gift-cards.sql.ts';

/** 16 characters out of 30: about 78 random bits. */
const createCode = () =>
  Array.from({ length: giftCardCodeLength }, () => unambiguousCharacters[randomInt(unambiguousCharacters.length)]).join(
    '',
  );

/** The prefix keeps these hashes apart from those of tokens. */
const hashCode = (code: string) => hashToken(`gift-card:${tidyGiftCardCode(code)}`);

/**
 * Creates a code for an active card and returns the code. Only its hash and its last four characters are stored, so it
 * cannot be read again. Earlier codes of the card stay valid. Returns undefined if the card is not active.
 *
 * @throws Refusal if the card already has `most` valid codes
 */
export const issueCode = (
  db: Db,
  clock: Clock,
  giftCardId: string,
  { most = Infinity } = {},
): Promise<string | undefined> =>
  db.transaction(async (tx) => {
    const code = createCode();
    const changedRows = await tx
      .update(giftCards)
      .set({ lastFour: code.slice(-4) })
      .where(and(eq(giftCards.id, giftCardId), eq(giftCards.state, 'active')))
      .returning({ id: giftCards.id });
    if (changedRows.length === 0) return undefined;
    const count = await tx.$count(
      giftCardCodes,
      and(eq(giftCardCodes.giftCardId, giftCardId), isNull(giftCardCodes.endedAt)),
    );
    if (count >= most) throw new Refusal('gift-card-codes-used-up');
    await tx.insert(giftCardCodes).values({ codeHash: hashCode(code), giftCardId, createdAt: clock.now() });
    return code;
  });

/** Ends all codes of a card, before a new one is sent. The caller has locked the card. */
export async function endCodes(tx: Db, clock: Clock, giftCardId: string): Promise<void> {
  await tx
    .update(giftCardCodes)
    .set({ endedAt: clock.now() })
    .where(and(eq(giftCardCodes.giftCardId, giftCardId), isNull(giftCardCodes.endedAt)));
}

/**
 * Returns the active card that a code opens.
 *
 * @throws Refusal if there is none
 */
export async function findGiftCardByCode(db: Db, code: string): Promise<GiftCard> {
  const [found] = await db
    .select({ card: giftCards })
    .from(giftCardCodes)
    .innerJoin(giftCards, eq(giftCards.id, giftCardCodes.giftCardId))
    .where(
      and(
        eq(giftCardCodes.codeHash, hashCode(code)),
        isNull(giftCardCodes.endedAt),
        sql`${giftCards.state} <> 'unpaid'`,
      ),
    );
  if (!found) throw new Refusal('gift-card-unknown');
  if (found.card.state === 'void') throw new Refusal('gift-card-void');
  return found.card;
}
