/**
 * Stripe's Idempotency-Key: the first request with a key runs. If it is repeated with this key within a day, it gets
 * the first response. A different request with this key is refused.
 */
import { createHash } from 'node:crypto';
import { eq, lt } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';
import type { HttpResponse } from './confirm-intent.ts';
import { ApiError, createInvalidRequest } from './errors.ts';
import { sandboxIdempotency } from './sandbox.sql.ts';
import type { OperationContext } from './store.ts';

const RETENTION_MS = 24 * 3600_000;
const MAX_KEY_LENGTH = 255;

export interface IdempotentCall {
  key: string;
  /** Separates the keys of different callers: the shop's keys, and the keys of each intent's buyer. */
  scope: string;
  fingerprint: string;
}

/**
 * Runs a request once per key. Claims the key by inserting it, in the same transaction as the request. A second request
 * with the key waits until the first one commits, and a crash rolls back both the key and the changes.
 */
export async function runIdempotently(
  work: OperationContext,
  { key, scope, fingerprint }: IdempotentCall,
  run: (work: OperationContext) => Promise<HttpResponse>,
): Promise<HttpResponse & { isReplay: boolean }> {
  if (key.length > MAX_KEY_LENGTH)
    throw createInvalidRequest(`Idempotency-Key is longer than ${MAX_KEY_LENGTH} characters.`);
  const row = { key: `${scope}:${key}`, requestHash: fingerprint, createdAt: work.now };
  const claimedRows = await work.tx.insert(sandboxIdempotency).values(row).onConflictDoNothing().returning();
  if (claimedRows.length === 0) return { ...(await readFirstAnswer(work.tx, row, key)), isReplay: true };

  const operationResponse = await attemptOperation(work, run);
  await work.tx
    .update(sandboxIdempotency)
    .set({ status: operationResponse.status, body: operationResponse.body })
    .where(eq(sandboxIdempotency.key, row.key));
  return { ...operationResponse, isReplay: false };
}

/**
 * Runs a request in a savepoint. A refusal is a response too: the savepoint undoes the changes, and the response is
 * kept.
 */
async function attemptOperation(
  work: OperationContext,
  run: (work: OperationContext) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  try {
    return await work.tx.transaction((savepoint) => run({ ...work, tx: savepoint }));
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: error.body };
    throw error;
  }
}

async function readFirstAnswer(tx: Db, row: { key: string; requestHash: string }, key: string): Promise<HttpResponse> {
  const [first] = await tx.select().from(sandboxIdempotency).where(eq(sandboxIdempotency.key, row.key));
  if (first?.requestHash !== row.requestHash) {
    throw new ApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  if (first.status === null) throw new Error('an idempotency key was committed without its answer');
  return { status: first.status, body: first.body };
}

/** Deletes old keys, as Stripe does. A request with a deleted key counts as a new request. */
export async function deleteOldKeys(db: Db, now: Date): Promise<void> {
  await db.delete(sandboxIdempotency).where(lt(sandboxIdempotency.createdAt, new Date(now.getTime() - RETENTION_MS)));
}

/**
 * Makes a hash that distinguishes requests. It does not contain the card's full number or security code, which must not
 * be stored, not even as a hash.
 */
export function computeFingerprint(method: string, path: string, params: unknown): string {
  const text = JSON.stringify([method, path, params], (name, value: unknown) => {
    if (name === 'number' && typeof value === 'string') return value.slice(-4);
    if (name === 'cvc') return undefined;
    return isPlainObject(value) ? sortedByName(value) : value;
  });
  return createHash('sha256').update(text).digest('hex');
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sortedByName = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
