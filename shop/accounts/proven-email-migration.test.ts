import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#adapters/database/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { createDatabase, describeOnEachEngine } from '#test/database.ts';
import { createMigrationsUpTo } from '#test/migrations.ts';

const confirmedAt = '2026-03-01T10:00:00Z';

describeOnEachEngine((_fresh, engine) => {
  test('the migration marks a confirmed email as proven only if its owner certainly created the account', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-proven-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseOptions =
      engine === 'postgres' ? { url: (await createDatabase({ isEmpty: true })).href, dataDir: '' } : { dataDir };
    const openRelease = (release: string) =>
      openDatabase({ ...databaseOptions, migrationsFolder: release, withJobs: false });
    const databaseBefore = await openRelease(createMigrationsUpTo('0048_audit_chain'));
    const { db } = databaseBefore;
    const insertAccount = (id: string, isConfirmed = true) =>
      db.execute(sql`insert into customers (id, email, first_name, last_name, password_hash, email_confirmed_at, created_at)
        values (${id}, ${`${id}@example.com`}, 'A', 'B', 'none', ${isConfirmed ? confirmedAt : null}, ${confirmedAt})`);
    const insertMail = (event: string, content: object | null) =>
      db.execute(sql`insert into mails (id, event, "to", content, queued_at)
        values (${event}, ${event}, '', ${content === null ? null : JSON.stringify(content)}::jsonb, ${confirmedAt})`);
    const insertOrder = async (customer: string, { email = `${customer}@example.com`, isSignedIn = true } = {}) => {
      const id = crypto.randomUUID();
      await db.execute(sql`insert into checkouts (id, token_hash, created_at) values (${id}, ${id}, ${confirmedAt})`);
      await db.execute(sql`insert into carts (id, checkout_id, customer_id, product_id, quantity, extra_packages, lines,
          subtotal_cents, discount_cents, promotion_use, tax_cents, total_cents, created_at)
        values (${id}, ${id}, ${isSignedIn ? customer : null}, 'kinframe', 1, 0, '[]', 1, 0, 'none', 0, 1, ${confirmedAt})`);
      await db.execute(sql`insert into orders (id, order_number, customer_id, email, first_name, last_name, product_type,
          quantity, extra_packages, lines, subtotal_cents, discount_cents, tax_cents, total_cents, status, checkout_id,
          payment_id, stripe_payment_intent_id, created_at, updated_at)
        values (${id}, ${id}, ${customer}, ${email}, 'A', 'B', 'kinframe', 1, 0, '[]', 1, 0, 0, 1, 'pending', ${id}, ${id},
          ${id}, ${confirmedAt}, ${confirmedAt})`);
    };
    const insertConfirmation = (id: string, content: object | null) => insertMail(`email-confirmation:${id}`, content);

    await insertAccount('receipt'); // registered with the link in a receipt, so no confirmation was mailed
    await insertAccount('paid-here');
    await insertConfirmation('paid-here', { kind: 'email-confirmation', orderNumber: 'KF-1' });
    await insertAccount('bought');
    await insertConfirmation('bought', null);
    await insertOrder('bought');

    await insertAccount('open', false);
    await insertAccount('signed-up'); // a mail scanner may have opened the confirmation link
    await insertConfirmation('signed-up', { kind: 'email-confirmation' });
    await insertAccount('taken'); // this account got a guest's order when the confirmation link was opened
    await insertConfirmation('taken', null);
    await insertOrder('taken', { isSignedIn: false });
    await insertAccount('bought-elsewhere');
    await insertConfirmation('bought-elsewhere', null);
    await insertOrder('bought-elsewhere', { email: 'other@example.com' });
    await insertAccount('moved');
    await insertOrder('moved');
    await insertMail('email-changed:moved:1', null);
    await databaseBefore.close();

    const databaseAfter = await openRelease(migrationsFolder);
    const { rows } = await databaseAfter.db.execute<{ id: string; at: Date }>(
      sql`select id, email_proven_at = email_confirmed_at as "isSame" from customers where email_proven_at is not null order by id`,
    );
    expect(rows).toEqual(['bought', 'paid-here', 'receipt'].map((id) => ({ id, isSame: true })));
    await databaseAfter.close();
  });
});
