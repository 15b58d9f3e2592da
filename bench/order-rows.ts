import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';

export interface InsertStatement {
  name: string;
  text: string;
  values: unknown[];
}
/** The statements between BEGIN and COMMIT: one per table. */
export type PlainSqlTransaction = InsertStatement[];
type TableRow = Record<string, unknown>;
/** All rows that settling one payment wrote, by table. */
export interface OrderRows {
  paymentId: string;
  checkoutId: string;
  intentId: string;
  email: string;
  rows: Record<string, TableRow[]>;
}

/** Reads all rows of an order: the order, its history, frames, emails and their jobs. */
export async function readOrderRows(db: Db, intentId: string): Promise<OrderRows> {
  const readRows = async (table: SQL, where: SQL) =>
    (
      await db.execute<{ row: TableRow }>(sql`
        select to_jsonb(t) - array(
          select attname::text from pg_attribute where attrelid = t.tableoid and attgenerated <> ''
        ) as row
        from ${table} t where ${where}`)
    ).rows.map((it) => it.row);
  const [order] = await readRows(sql`orders`, sql`stripe_payment_intent_id = ${intentId}`);
  const orderId = order!['id'] as string;
  const mails = await readRows(sql`mails`, sql`event like ${`%:${orderId}`}`);
  const isJobOfMails = sql.join(
    mails.map((mail) => sql`data->>'mailId' = ${mail['id']}`),
    sql` or `,
  );
  const { rows } = await db.execute<{ place: string }>(
    sql`select tableoid::regclass::text as place from jobs.job where ${isJobOfMails} limit 1`,
  );
  return {
    paymentId: order!['payment_id'] as string,
    checkoutId: order!['checkout_id'] as string,
    intentId,
    email: order!['email'] as string,
    rows: {
      orders: [order!],
      order_events: await readRows(sql`order_events`, sql`order_id = ${orderId}`),
      frames: await readRows(sql`frames`, sql`order_id = ${orderId}`),
      mails,
      [rows[0]!.place]: await readRows(sql`jobs.job`, isJobOfMails),
    },
  };
}

/** Columns whose values must be unique in every order. */
const uniqueColumns = ['id', 'order_number', 'singleton_key'];

/**
 * Creates the same rows for the payments with the given intents. They are prepared in advance, so that only sending is
 * measured.
 */
export function createPlainSqlTransactions(sample: OrderRows, intentIds: string[]): PlainSqlTransaction[] {
  const insertSqlByTable = new Map(
    Object.entries(sample.rows).map(([table, rows]) => [table, createInsertSql(table, rows)]),
  );
  const rowPattern = JSON.stringify(Object.entries(sample.rows).map(([table, rows]) => [table, listRowValues(rows)]));
  const uniqueValues = Object.values(sample.rows).flatMap((rows) =>
    rows.flatMap((row) => uniqueColumns.flatMap((column) => (typeof row[column] === 'string' ? [row[column]] : []))),
  );
  return intentIds.map((intentId) => {
    const paymentId = intentId.replace('intent', 'payment');
    const freshIds = new Map([
      [sample.paymentId, paymentId],
      [sample.checkoutId, intentId.replace('intent', 'checkout')],
      [sample.intentId, intentId],
      [sample.email, `${intentId.replace('intent', 'buyer')}@example.com`],
      ...uniqueValues.map((value) => [value, createValueLike(value)] as const),
    ]);
    const knownIdPattern = new RegExp([...freshIds.keys()].join('|'), 'g');
    const valuesByTable = JSON.parse(rowPattern.replace(knownIdPattern, (value) => freshIds.get(value)!)) as [
      string,
      unknown[],
    ][];
    return [
      {
        name: 'payments',
        text: `update payments set state = 'settled', updated_at = now() where id = $1`,
        values: [paymentId],
      },
      ...valuesByTable.map(([table, values]) => ({ name: table, text: insertSqlByTable.get(table)!, values })),
    ];
  });
}

function createInsertSql(table: string, rows: TableRow[]): string {
  const columns = Object.keys(rows[0]!);
  const valueTuples = rows.map(
    (_, row) => `(${columns.map((__, at) => `$${row * columns.length + at + 1}`).join(', ')})`,
  );
  return `insert into ${table} (${columns.map((it) => `"${it}"`).join(', ')}) values ${valueTuples.join(', ')}`;
}

const listRowValues = (rows: TableRow[]) =>
  rows.flatMap((row) =>
    Object.values(row).map((value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value)),
  );

/** Returns another value of the same form: random hexadecimal digits, with the dashes in the same places. */
const createValueLike = (value: string) => {
  const randomDigits = crypto.randomUUID().replaceAll('-', '') + crypto.randomUUID().replaceAll('-', '');
  return value.replace(/[0-9A-Za-z]/g, (_, at: number) => randomDigits[at % randomDigits.length]!);
};
