import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { openDatabase, systemClock, type Database } from '#adapters/database/database.ts';
import { openDurablePglite } from '#adapters/database/pglite/durable-pglite.ts';
import { createEmbeddedDatabase } from '#adapters/database/pglite/embedded.ts';
import { startPayment } from '#shop/checkout/checkout.ts';
import { subscribeToContent, cacheContent } from '#shop/content/content.ts';
import { defaultDeliveryTimes } from '#contract/catalog.ts';
import type { PaymentScope } from '#shop/payments/payments.ts';
import { settleIntentById } from '#shop/payments/settle.ts';
import type { CardPayments, PaymentIntent } from '#shop/ports/card-payments.ts';
import type { Db } from '#shop/ports/database.ts';
import { purposes } from '#server/purposes.ts';
import { readPeakMegabytes } from './measure.ts';
import { createPlainSqlTransactions, readOrderRows, type PlainSqlTransaction } from './order-rows.ts';

export interface PaidOrdersJob {
  /** A postgres:// address. Absent for the embedded engine in `dataDir`. */
  url?: string;
  dataDir: string;
  migrationsFolder: string;
}
export interface PaidOrdersFigures {
  settledPerSecond: number;
  barePerSecond: number;
  /** Settled payments per second of orders that a gift card pays in part. */
  withGiftCardPerSecond: number;
  /** The median time of one settle call while `concurrency` calls run at the same time, in milliseconds. */
  medianMs: number;
  slowestHundredthMs: number;
  peakMegabytes: number;
}

const concurrency = 16;
const ordersPerRound = 800;
/** The first round warms up both variants and is not counted. */
const roundCount = 4;

/**
 * Compares settling paid intents with writing the same rows in plain SQL, in alternating rounds on the same database.
 */
export async function comparePaidOrders(job: PaidOrdersJob): Promise<PaidOrdersFigures> {
  const { database, writeBare, close } = await (job.url ? openOnPostgres(job, job.url) : openEmbedded(job));
  const { db, jobs } = database;
  const readContent = cacheContent(db, systemClock, await subscribeToContent(database.listen));
  const paidIntents = new Map<string, PaymentIntent>();
  const scope: PaymentScope = {
    db,
    jobs,
    clock: systemClock,
    provider: createProviderWithPaidIntents(paidIntents),
    purposes,
    link: (path) => `http://localhost:3000${path}`,
    ownerEmail: async () => (await readContent('site')).contactEmail,
    deliveryTimes: async () => defaultDeliveryTimes,
  };
  const intentId = await placeOrder(scope);
  const sample = await readOrderRows(db, intentId);

  const seconds = { settled: 0, bare: 0, withGiftCard: 0 };
  const times: number[] = [];
  for (let round = 0; round < roundCount; round++) {
    const paymentsToSettle = await copyPayments(db, intentId, `settled-${round}`);
    for (const id of paymentsToSettle) paidIntents.set(id, { ...paidIntents.get(intentId)!, id });
    const settleTimes: number[] = [];
    const settleSeconds = await measureSeconds(paymentsToSettle, async (id) => {
      const startedAt = performance.now();
      await settleIntentById(scope, id);
      settleTimes.push(performance.now() - startedAt);
    });
    const withGiftCard = await addGiftCards(db, await copyPayments(db, intentId, `gift-${round}`), `gift-${round}`);
    for (const id of withGiftCard) paidIntents.set(id, { ...paidIntents.get(intentId)!, id });
    const giftSeconds = await measureSeconds(withGiftCard, (id) => settleIntentById(scope, id));
    const plainTransactions = createPlainSqlTransactions(sample, await copyPayments(db, intentId, `bare-${round}`));
    const bareSeconds = await measureSeconds(plainTransactions, writeBare);
    if (round === 0) continue;
    seconds.settled += settleSeconds;
    seconds.bare += bareSeconds;
    seconds.withGiftCard += giftSeconds;
    times.push(...settleTimes);
  }
  await expectSameRows(db);
  const orderCount = (roundCount - 1) * ordersPerRound;
  const peakMegabytes = readPeakMegabytes(process.pid);
  await close();
  times.sort((a, b) => a - b);
  return {
    settledPerSecond: orderCount / seconds.settled,
    barePerSecond: orderCount / seconds.bare,
    withGiftCardPerSecond: orderCount / seconds.withGiftCard,
    medianMs: times[Math.floor(times.length * 0.5)]!,
    slowestHundredthMs: times[Math.floor(times.length * 0.99)]!,
    peakMegabytes,
  };
}

interface OpenedDatabase {
  database: Database;
  writeBare: (transaction: PlainSqlTransaction) => Promise<void>;
  close: () => Promise<void>;
}

async function openOnPostgres({ dataDir, migrationsFolder }: PaidOrdersJob, url: string): Promise<OpenedDatabase> {
  const database = await openDatabase({ url, dataDir, migrationsFolder });
  const pool = new pg.Pool({ connectionString: url, max: concurrency });
  return {
    database,
    async writeBare(transaction) {
      const connection = await pool.connect();
      await connection.query('begin');
      for (const { name, text, values } of transaction) await connection.query({ name, text, values });
      await connection.query('commit');
      connection.release();
    },
    async close() {
      await pool.end();
      await database.close();
    },
  };
}

async function openEmbedded({ dataDir, migrationsFolder }: PaidOrdersJob): Promise<OpenedDatabase> {
  const pglite: PGlite = await openDurablePglite(join(dataDir, 'db'));
  const runTransaction = pglite.transaction.bind(pglite); // the original method, before the shop wraps it with a guard
  const database = await createEmbeddedDatabase(pglite, { migrationsFolder });
  return {
    database,
    writeBare: (statements) =>
      runTransaction(async (tx) => {
        for (const { text, values } of statements) await tx.query(text, values);
      }),
    close: () => database.close(),
  };
}

/** A provider that responds at once, because its time is not measured. */
function createProviderWithPaidIntents(paid: Map<string, PaymentIntent>): CardPayments {
  const rejectUnexpectedCall = () => Promise.reject(new Error('the bench asks the provider for intents only'));
  return {
    kind: 'sandbox',
    publishableKey: undefined,
    livemode: false,
    readAccountId: async () => 'acct_sample',
    calculateTax: rejectUnexpectedCall,
    getCheckoutSession: rejectUnexpectedCall,
    createCustomer: async () => 'cus_sample',
    async createIntent({ amountCents, currency, metadata }) {
      const intent: PaymentIntent = {
        id: 'pi_sample',
        clientSecret: 'none',
        status: 'succeeded',
        amountCents,
        amountReceivedCents: amountCents,
        currency,
        metadata,
        livemode: false,
      };
      paid.set(intent.id, intent);
      return intent;
    },
    getIntent: async (id) => paid.get(id),
    readPayer: rejectUnexpectedCall,
    readFeeCents: rejectUnexpectedCall,
    listBalanceTransactions: async function* () {
      yield await rejectUnexpectedCall();
    },
    captureIntent: rejectUnexpectedCall,
    cancelIntent: rejectUnexpectedCall,
    refund: rejectUnexpectedCall,
    listRefundsOf: rejectUnexpectedCall,
    listDisputesOf: rejectUnexpectedCall,
    listFraudWarningsOf: rejectUnexpectedCall,
    readWebhook: () => 'forged',
    check: async () => {},
  };
}

/**
 * Makes one order, from the cart to the payment. All other orders are made like this one. Returns its payment intent.
 */
async function placeOrder(scope: PaymentScope): Promise<string> {
  const address = {
    line1: '12 Linden Street',
    city: 'Portland',
    state: 'OR',
    postalCode: '97201',
    country: 'US',
  } as const;
  const customerDetails = { firstName: 'Anna', lastName: 'Keller', email: 'anna@example.com', address };
  const cart = { productId: 'kinframe', quantity: 2, extraPackages: 1, customerDetails };
  const { intentId } = await startPayment({ ...scope, collectsTax: false }, cart, { address: '127.0.0.1' });
  await settleIntentById(scope, intentId);
  return intentId;
}

/**
 * Copies the payment of the given intent, so that the copies can be settled. Each copy has a separate checkout and
 * buyer. Returns the payment intents of the copies.
 */
async function copyPayments(db: Db, intentId: string, name: string): Promise<string[]> {
  const number = sql`lpad(n::text, 8, '0')`;
  const orderNumbers = sql`generate_series(1, ${ordersPerRound}::int) n`;
  await db.execute(sql`
    insert into checkouts (id, token_hash, created_at)
    select ${`checkout-${name}-`}::text || ${number}, ${`checkout-${name}-`}::text || ${number}, now() from ${orderNumbers}`);
  await db.execute(sql`
    insert into carts
    select (jsonb_populate_record(carts, jsonb_build_object(
      'id', ${`cart-${name}-`}::text || ${number},
      'checkout_id', ${`checkout-${name}-`}::text || ${number},
      'details', details || jsonb_build_object('email', ${`buyer-${name}-`}::text || ${number} || '@example.com')
    ))).* from carts, ${orderNumbers} where id = (select purpose_id from payments where intent_id = ${intentId})`);
  const { rows } = await db.execute<{ intent_id: string }>(sql`
    insert into payments
    select (jsonb_populate_record(payments, jsonb_build_object(
      'id', ${`payment-${name}-`}::text || ${number},
      'purpose_id', ${`cart-${name}-`}::text || ${number},
      'email', ${`buyer-${name}-`}::text || ${number} || '@example.com',
      'intent_id', ${`intent-${name}-`}::text || ${number},
      'idempotency_key', ${`payment-${name}-`}::text || ${number},
      'state', 'open'
    ))).* from payments, ${orderNumbers} where intent_id = ${intentId}
    returning intent_id`);
  return rows.map((it) => it.intent_id);
}

/**
 * Gives each cart of these payments a gift card of its own, whose money was taken before the card was charged, as in a
 * checkout.
 */
async function addGiftCards(db: Db, intentIds: string[], name: string): Promise<string[]> {
  const number = sql`lpad(n::text, 8, '0')`;
  const orderNumbers = sql`generate_series(1, ${ordersPerRound}::int) n`;
  const id = sql`${`card-${name}-`}::text || ${number}`;
  await db.execute(sql`
    insert into gift_cards (id, number, purchase_id, is_for_frame, amount_cents, balance_cents, state, recipient_name,
      sender_name, buyer_email, paid_at, created_at)
    select ${id}, ${id}, ${id}, false, 5000, 4000, 'active', 'Mei', 'Anna', '', now(), now() from ${orderNumbers}`);
  await db.execute(sql`
    insert into gift_card_uses (cart_id, gift_card_id, last_four, position, amount_cents, state, hold_ends_at)
    select ${`cart-${name}-`}::text || ${number}, ${id}, '2XPA', 0, 1000, 'held', now() from ${orderNumbers}`);
  await db.execute(sql`update carts set gift_card_cents = 1000 where starts_with(id, ${`cart-${name}-`})`);
  return intentIds;
}

/** Processes a list with `concurrency` workers. Returns the seconds it took. */
async function measureSeconds<T>(list: T[], work: (one: T) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  const waitingOrders = list.values();
  const startWorker = async () => {
    for (const waitingOrder of waitingOrders) await work(waitingOrder);
  };
  await Promise.all(Array.from({ length: concurrency }, startWorker));
  return (performance.now() - startedAt) / 1000;
}

/** Checks that both variants wrote the same number of rows. Otherwise the comparison is meaningless. */
async function expectSameRows(db: Db): Promise<void> {
  const countRowsOfOrder = (table: string, orderId: string) =>
    sql.raw(`(select count(*) from ${table}
    join orders on orders.id = ${orderId} where starts_with(payment_id, which.name))::int as ${table}`);
  const { rows } = await db.execute(sql`
    select ${countRowsOfOrder('order_events', 'order_id')}, ${countRowsOfOrder('frames', 'order_id')},
      ${countRowsOfOrder('mails', `split_part(event, ':', 2)`)},
      (select count(*) from jobs.job join mails on mails.id = data->>'mailId'
        join orders on orders.id = split_part(event, ':', 2) where starts_with(payment_id, which.name))::int as jobs,
      (select count(*) from payments where starts_with(id, which.name) and state = 'settled')::int as payments
    from (values ('payment-settled'), ('payment-bare')) which (name)`);
  const [settledCounts, bareCounts] = rows.map((counts) => JSON.stringify(counts));
  if (settledCounts !== bareCounts) throw new Error(`settling wrote ${settledCounts}, plain SQL ${bareCounts}`);
}
