import { PGlite } from '@electric-sql/pglite';
import { pgliteCompatibilityOptions } from '#adapters/database/pglite/durable-pglite.ts';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import type { Db } from '#shop/ports/database.ts';
import { createMigrationsUpTo } from '#test/migrations.ts';
import { readAllTables } from '#test/rows.ts';
import { migrationsFolder } from '#server/project-folder.ts';

interface EmptyDatabase {
  db: Db;
  migrate: (folder: string) => Promise<void>;
}

async function createEmptyPglite(): Promise<EmptyDatabase> {
  const pglite = await PGlite.create(pgliteCompatibilityOptions);
  onTestFinished(() => pglite.close());
  const db = drizzlePglite(pglite);
  return { db: db as unknown as Db, migrate: (folder) => migratePglite(db, { migrationsFolder: folder }) };
}
async function createEmptyPostgres(url: string): Promise<EmptyDatabase> {
  const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const pool = new pg.Pool({ connectionString: Object.assign(new URL(url), { pathname: `/${name}` }).href });
  pool.on('error', () => {}); // ignore connections that are cut when the database is dropped
  onTestFinished(async () => {
    await pool.end();
    await admin.query(`drop database ${name} with (force)`);
    await admin.end();
  });
  const db = drizzlePostgres(pool);
  return { db: db as unknown as Db, migrate: (folder) => migratePostgres(db, { migrationsFolder: folder }) };
}

const url = inject('postgresUrl');
describe('embedded', () => describeMigration(createEmptyPglite));
describe.skipIf(!url)('postgres', () => describeMigration(() => createEmptyPostgres(url!)));

function describeMigration(empty: () => Promise<EmptyDatabase>) {
  test('the migrations split each old payment into a payment and a cart, and link refunds to payments', async () => {
    const { db, migrate } = await empty();
    await migrate(createMigrationsUpTo('0001_checkout'));
    await fillDatabase(db);
    await migrate(migrationsFolder);

    const { payments, carts, refunds } = (await readAllTables(db)) as Record<string, Record<string, unknown>[]>;
    const findRow = (rows: typeof payments, id: string) => rows!.find((it) => it['id'] === id);
    expect(payments).toHaveLength(4);
    expect(findRow(payments, 'paid')).toEqual({
      id: 'paid',
      purpose: 'order',
      purpose_id: 'paid',
      email: 'anna@example.com',
      intent_id: 'pi_paid',
      idempotency_key: 'payment-paid',
      state: 'settled',
      amount_cents: 18_662,
      currency: 'usd',
      mode: 'test',
      account: null,
      provider_customer_id: 'cus_1',
      expires_at: '2026-01-02T05:00:00+00:00',
      fee_cents: null,
      fee_asked_at: null,
      asked_at: '2026-01-02T03:00:00+00:00',
      created_at: '2026-01-02T03:00:00+00:00',
      updated_at: '2026-01-02T03:00:00+00:00',
    });
    expect(findRow(carts, 'paid')).toEqual({
      id: 'paid',
      checkout_id: 'checkout',
      customer_id: null,
      product_id: 'kinframe',
      quantity: 1,
      extra_packages: 0,
      lines: [{ label: 'Kinframe', quantity: 1, amountCents: 19_900 }],
      details: { email: 'anna@example.com', firstName: 'Anna', lastName: 'Keller' },
      subtotal_cents: 19_900,
      discount_cents: 1990,
      promo_code: 'GIFT10',
      promotion_use: 'spent',
      tax_cents: 752,
      tax_rate: '4',
      tax_jurisdiction: 'New York',
      tax_calculation_id: 'taxcalc_1',
      total_cents: 18_662,
      frames_held: 0,
      gift_card_cents: 0,
      created_at: '2026-01-02T03:00:00+00:00',
    });
    // `signed-in` was paid while signed in and without buyer details. `waiting` is open and has a promo code. `asking`
    // has no response of the provider.
    expect(findRow(payments, 'signed-in')).toMatchObject({ email: 'ben@example.com', state: 'refunding' });
    expect(findRow(payments, 'waiting')).toMatchObject({ state: 'open', expires_at: '2026-01-02T05:00:00+00:00' });
    expect(findRow(carts, 'waiting')).toMatchObject({ promotion_use: 'held' });
    expect(findRow(payments, 'asking')).toMatchObject({ email: null, expires_at: '2026-01-03T03:00:00+00:00' });
    expect(findRow(carts, 'asking')).toMatchObject({ promotion_use: 'none', checkout_id: 'checkout' });
    expect(refunds).toMatchObject([{ id: 'refund', payment_id: 'paid', order_id: 'order' }]);
  });
}

/** Inserts a small shop into the schema of the release that the test starts with. */
async function fillDatabase(db: Db): Promise<void> {
  const sampleTime = sql`'2026-01-02T03:00:00Z'::timestamptz`;
  const lines = sql`'[{"label":"Kinframe","quantity":1,"amountCents":19900}]'::jsonb`;
  const details = sql`'{"email":"anna@example.com","firstName":"Anna","lastName":"Keller"}'::jsonb`;
  await db.execute(sql`insert into checkouts values ('checkout', 'hash', ${sampleTime})`);
  await db.execute(sql`insert into customers (id, email, first_name, last_name, password_hash, created_at)
    values ('ben', 'ben@example.com', 'Ben', 'Okafor', 'hash', ${sampleTime})`);
  await db.execute(sql`
    insert into payments (id, checkout_id, customer_id, intent_id, idempotency_key, state, product_id, quantity,
      extra_packages, lines, details, subtotal_cents, discount_cents, promo_code, holds_promotion, tax_cents, tax_rate,
      tax_jurisdiction, tax_calculation_id, total_cents, currency, provider_customer_id, livemode, created_at, updated_at)
    values
      ('paid', 'checkout', null, 'pi_paid', 'payment-paid', 'settled', 'kinframe', 1, 0, ${lines}, ${details},
        19900, 1990, 'GIFT10', true, 752, '4', 'New York', 'taxcalc_1', 18662, 'usd', 'cus_1', 'test', ${sampleTime}, ${sampleTime}),
      ('signed-in', 'checkout', 'ben', 'pi_2', 'payment-2', 'refunding', 'kinframe', 1, 0, ${lines}, null,
        19900, 0, null, false, 0, null, null, null, 19900, 'usd', null, 'test', ${sampleTime}, ${sampleTime}),
      ('waiting', 'checkout', null, 'pi_3', 'payment-3', 'open', 'kinframe', 1, 0, ${lines}, ${details},
        19900, 1990, 'GIFT10', true, 0, null, null, null, 17910, 'usd', null, 'test', ${sampleTime}, ${sampleTime}),
      ('asking', 'checkout', null, null, 'payment-4', 'asking', 'kinframe', 1, 0, ${lines}, null,
        19900, 0, null, false, 0, null, null, null, 19900, 'usd', null, 'test', ${sampleTime}, ${sampleTime})`);
  await db.execute(sql`
    insert into orders (id, order_number, email, first_name, last_name, product_type, quantity, extra_packages, lines,
      subtotal_cents, discount_cents, tax_cents, total_cents, status, checkout_id, payment_id,
      stripe_payment_intent_id, created_at, updated_at)
    values ('order', 'KF-1', 'anna@example.com', 'Anna', 'Keller', 'kinframe', 1, 0, ${lines}, 19900, 1990, 752, 18662,
      'pending', 'checkout', 'paid', 'pi_paid', ${sampleTime}, ${sampleTime})`);
  await db.execute(sql`insert into refunds (id, order_id, amount_cents, reason, state, created_at, updated_at)
    values ('refund', 'order', 900, 'A scratch', 'succeeded', ${sampleTime}, ${sampleTime})`);
}
