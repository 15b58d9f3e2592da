import type { Clock, Db } from '../ports.ts';
import { newId } from '../columns.ts';
import { auditTrail } from './audit.sql.ts';

export interface Act {
  act: string;
  subjectId?: string;
  before?: unknown;
  after?: unknown;
  requestId?: string;
}

/** Write down what was done in the admin panel; nothing is ever changed or removed here. */
export async function recordAct(
  db: Db,
  clock: Clock,
  { act, subjectId, before, after, requestId }: Act,
): Promise<void> {
  await db.insert(auditTrail).values({ id: newId(), act, subjectId, before, after, requestId, at: clock.now() });
}
