import { kinframe } from '#contract/catalog.ts';
import { Refusal } from '#contract/refusals.ts';
import { recordAuditEntry, type AuditAuthor } from '../audit/audit.ts';
import type { ContentChanges } from '../content/content.ts';
import type { Clock } from '../ports/clock.ts';
import type { Db } from '../ports/database.ts';
import { readFramesLeft, setFramesLeftIf } from './stock.ts';

/**
 * Sets how many frames can still be sold; null stops counting. Saves nothing if the number is not `seen` anymore,
 * because the owner's new number would then leave out a sale.
 */
export async function setFramesLeft(
  { db, clock, contentNews }: { db: Db; clock: Clock; contentNews: ContentChanges },
  { framesLeft: next, seen }: { framesLeft: number | null; seen: number | null },
  by: AuditAuthor,
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await setFramesLeftIf(tx, seen, next))) throw await createStockChangedRefusal(tx);
    await recordAuditEntry(tx, clock, {
      act: 'set-stock',
      subjectId: kinframe,
      before: { framesLeft: seen },
      after: { framesLeft: next },
      ...by,
    });
  });
  contentNews.changed();
}

async function createStockChangedRefusal(tx: Db) {
  const framesLeft = await readFramesLeft(tx);
  return new Refusal('stock-changed', { left: framesLeft === null ? 'not counted' : String(framesLeft) });
}
