import { gte, inArray, lt, sql, type SQL } from 'drizzle-orm';
import type { Stripe } from 'stripe';
import { createId } from './ids.ts';
import type { ListBalanceTransactions } from './parameters.ts';
import { sandboxObjects } from './sandbox.sql.ts';
import { insertObject, listObjects, toUnixSeconds, type OperationContext } from './store.ts';

/** Stripe's fee for a dispute. */
export const DISPUTE_FEE_CENTS = 1500;

interface Movement {
  /** The id of the charge, refund or dispute. */
  source: string;
  intentId?: string;
  type: Stripe.BalanceTransaction.Type;
  /** Stripe's reporting category. */
  category: string;
  /** In cents; negative if the money leaves the balance. */
  amount: number;
  fee?: number;
  description?: string | null;
}

/** Records a movement of money on the shop's balance. */
export async function recordBalanceTransaction(
  work: OperationContext,
  { source, intentId, type, category, amount, fee = 0, description = null }: Movement,
): Promise<Stripe.BalanceTransaction> {
  const createdAt = toUnixSeconds(work.now);
  const transaction: Stripe.BalanceTransaction = {
    id: createId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: createdAt,
    balance_type: 'payments',
    created: createdAt,
    currency: 'usd',
    description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: 'usd',
              description: 'Sandbox processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: 'available',
    type,
  };
  await insertObject(work, transaction, intentId);
  return transaction;
}

/** Lists the movements on the balance, newest first; with `expand`, each with its charge, refund or dispute. */
export async function listBalanceTransactions(
  { tx }: OperationContext,
  { created, expand, ...page }: ListBalanceTransactions,
): Promise<Stripe.ApiList<Stripe.BalanceTransaction>> {
  const { body } = sandboxObjects;
  const createdSeconds = sql`(${body} ->> 'created')::bigint`;
  const filters: (SQL | undefined)[] = [
    created?.gte === undefined ? undefined : gte(createdSeconds, created.gte),
    created?.lt === undefined ? undefined : lt(createdSeconds, created.lt),
  ];
  const list = await listObjects(tx, 'balance_transaction', '/v1/balance_transactions', page, filters);
  if (!expand) return list;
  const sources = await tx
    .select({ id: sandboxObjects.id, body })
    .from(sandboxObjects)
    .where(
      inArray(
        sandboxObjects.id,
        list.data.flatMap((it) => (typeof it.source === 'string' ? it.source : [])),
      ),
    );
  const sourcesById = new Map(sources.map((it) => [it.id, it.body as Stripe.BalanceTransactionSource]));
  return {
    ...list,
    data: list.data.map((it) => ({
      ...it,
      source: (typeof it.source === 'string' && sourcesById.get(it.source)) || it.source,
    })),
  };
}
