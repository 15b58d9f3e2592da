import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '#shop/ports/database.ts';
import { unambiguousCharacters } from '#shop/readable-number.ts';

/**
 * Fills a fresh, migrated database with orders of the last two years, with a realistic mix. The newest 1% of the orders
 * wait for photos, the next 2% are in production, and the others are delivered and kept. Every second buyer has an
 * account, up to 50,000 accounts. One in five has sent a question. Due reminders were sent. It takes
 * seconds for 100,000 orders on PostgreSQL. Run `vacuum analyze` afterwards; a server eventually does this itself.
 */
export async function seedOrders(db: Db, { orders, photos = 3 }: { orders: number; photos?: number }): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`); // the shop's statement timeout is too short for this
    // Disable triggers: these rows have no events to react to, and production and people are counted once at the end.
    for (const table of ['frames', 'videos'])
      await tx.execute(sql`alter table ${sql.identifier(table)} disable trigger user`);
    for (const [table, trigger] of peopleTriggers)
      await tx.execute(sql`alter table ${sql.identifier(table)} disable trigger ${sql.identifier(trigger)}`);
    // For many rows, creating an index afterwards takes a tenth of the time of updating it row by row. The same applies
    // to foreign keys.
    const { rows: bulky } = await tx.execute<{ drop: string; make: string }>(sql`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
      from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace
      union all
      select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
      from pg_index join pg_class on oid = indexrelid where relnamespace = current_schema()::regnamespace
        and not exists (select from pg_constraint where conindid = indexrelid and contype <> 'f')`);
    const indexesBuiltLater = orders < 10_000 ? [] : bulky;
    for (const { drop } of indexesBuiltLater) await tx.execute(sql.raw(drop));
    await tx.execute(sql`
      create temporary table seeds on commit drop as
      select n, md5('order' || n) as id, ${createOrderNumberSql(sql`n`)} as number,
        now() - (${orders}::int - n) * interval '730 days' / ${orders}::int as at,
        (array['Anna','Ben','Clara','David','Emma','Felix','Grace','Henry','Iris','José','Karin','Liam','Mia','Noah',
          'Olga','Paul','Quinn','Rosa','Sven','Tara','Uma','Victor','Wendy','Xaver','Yara','Zoë'])[1 + n % 26] as first,
        (array['Miller','Keller','Meyer','Novak','Ortiz','Parker','Quist','Rossi','Silva','Turner','Ueda','Vega',
          'Weber','Young','Zimmer','Archer','Baker','Castillo','Dupont'])[1 + n % 19] || substr(md5('name' || n), 1, 2) as last,
        case when n > ${orders}::int * 0.99 then 'open' when n > ${orders}::int * 0.97 then 'waiting' else 'delivered' end as stage,
        n % greatest(2, ${orders}::int / 50000) = 0 as "hasAccount"
      from generate_series(1, ${orders}::int) n`);
    await tx.execute(sql`
      insert into customers (id, email, first_name, last_name, password_hash, email_confirmed_at, created_at)
      select 'customer-' || n, 'customer' || n || '@example.com', first, last, 'none', at, at from seeds where "hasAccount"`);
    // Each order has its payment. One in three carts is abandoned.
    await tx.execute(sql`
      insert into checkouts (id, token_hash, created_at) select 'checkout-' || n, md5('checkout' || n), at from seeds`);
    await tx.execute(sql`
      insert into carts (id, checkout_id, product_id, quantity, extra_packages, lines, details, subtotal_cents,
        discount_cents, promotion_use, tax_cents, total_cents, created_at)
      select kind || n, 'checkout-' || n, 'kinframe', 1, 0, '[]', '{}', 19900, 0, 'none', 0, 19900, at
      from seeds, unnest(array['cart-', 'left-']) kind where kind = 'cart-' or n % 2 = 0`);
    await tx.execute(sql`
      insert into payments (id, purpose, purpose_id, email, intent_id, idempotency_key, state, amount_cents, currency, mode,
        expires_at, asked_at, created_at, updated_at)
      select 'payment-' || cart, 'order', cart, email, ${createIntentIdSql(sql`cart`)}, cart, state, 19900, 'usd', 'sandbox', at, at, at, at
      from (
        select 'cart-' || n as cart, 'customer' || n || '@example.com' as email, 'settled' as state, at from seeds
        union all
        select 'left-' || n, case when at > now() - interval '30 days' then 'somebody' || n || '@example.com' end,
          case when at > now() - interval '1 day' then 'open' else 'cancelled' end, at from seeds where n % 2 = 0
      ) paid`);
    await tx.execute(sql`
      insert into payment_events (id, type, received_at)
      select 'event-' || n, 'payment_intent.succeeded', now() - n % 89 * interval '1 day' from seeds`);
    await tx.execute(sql`
      insert into page_views (id, page_path, user_agent, viewed_at)
      select n, (array['/', '/product/kinframe', '/gallery', '/faq', '/product/byof', '/how-it-works', '/checkout', '/about',
          '/product/photo2video-10', '/customer-details', '/upload', '/support', '/orders', '/contact', '/delivery',
          '/welcome', '/auth', '/legal/terms', '/your-photos', '/legal/privacy'])[1 + n % 20],
        'Browser', now() - n % 390 * interval '1 day' from seeds`);
    await tx.execute(sql`
      insert into orders (id, order_number, customer_id, email, first_name, last_name, product_type, quantity, extra_packages,
        lines, subtotal_cents, discount_cents, promo_code, tax_cents, total_cents, status, checkout_id, payment_id,
        stripe_payment_intent_id, created_at, updated_at)
      select id, number, case when "hasAccount" then 'customer-' || n end,
        'customer' || n || '@example.com', first, last, 'kinframe', 1, n % 4,
        '[{"label":"Kinframe Digital Picture Frame","quantity":1,"unitCents":19900,"amountCents":19900}]',
        19900 + 999 * (n % 4), 0, case when n % 10 = 0 then (array['GIFT10', 'Winter15', 'summer5'])[1 + n % 3] end, 0,
        19900 + 999 * (n % 4),
        case stage when 'open' then 'pending' when 'waiting' then 'processing' else (array['completed','shipped'])[1 + n % 2] end,
        'checkout-' || n, 'payment-cart-' || n, ${createIntentIdSql(sql`'cart-' || n`)}, at, at from seeds`);
    await tx.execute(sql`
      insert into order_events (id, order_id, kind, words, at)
      select 'event-' || n, id, 'paid', 'Payment received. Waiting for your photos.', at from seeds`);
    await tx.execute(sql`
      insert into frames (id, order_id, position, name, device_type, base_photos, extra_photos, used_photos, created_at,
        finalized_at, videos_ready_at, kept_until)
      select 'frame-' || n, id, 1, 'Kinframe 1', 'kinframe', 20, 10 * (n % 4), ${photos}, at,
        case when stage <> 'open' then at + interval '2 hours' end,
        case when stage = 'delivered' then at + interval '2 days' end,
        case when stage = 'delivered' then at + interval '3 years' end from seeds`);
    await tx.execute(sql`
      insert into uploads (id, frame_id, order_id, file_name, original_file_name, mime_type, file_size, sha256, width, height,
        original_key, display_key, thumbnail_key, uploaded_at)
      select 'upload-' || n || '-' || p, 'frame-' || n, id, 'photo-' || n || '-' || p || '.jpg', 'IMG_' || n || '.jpg',
        'image/jpeg', 2000000, md5(n || '.' || p), 4000, 3000, 'originals/' || n || '-' || p, 'display/' || n || '-' || p,
        'thumbnails/' || n || '-' || p, at + p * interval '1 minute' from seeds, generate_series(1, ${photos}::int) p`);
    await tx.execute(sql`
      insert into videos (id, upload_id, frame_id, place, state, style, progress, video_key, poster_key, queued_at)
      select 'video-' || n || '-' || p, 'upload-' || n || '-' || p, 'frame-' || n, p - 1,
        case when stage = 'delivered' then 'approved' else (array['rendered','approved','failed'])[1 + (n + p) % 3] end,
        'drift', 1, 'videos/' || n || '-' || p, 'posters/' || n || '-' || p, at + interval '2 hours'
      from seeds, generate_series(1, ${photos}::int) p where stage <> 'open'`);
    await tx.execute(sql`
      insert into mails (id, event, "to", order_id, queued_at, sent_at)
      select 'mail-' || n, 'receipt:' || id, 'customer' || n || '@example.com', id, at, at from seeds
      union all
      select 'reminder-' || n || '-' || day, 'photo-reminder:' || id || ':' || day, 'customer' || n || '@example.com', id,
        at + day * interval '1 day', at + day * interval '1 day'
      from seeds, unnest(array[1, 3, 7]) day where stage = 'open' and at < now() - day * interval '1 day'`);
    await tx.execute(sql`
      insert into tokens (token_hash, purpose, subject_id, created_at, expires_at)
      select md5('token' || n), 'order-access', id, at, at + interval '800 days' from seeds`);
    await tx.execute(sql`
      insert into people (id, account_id, email, first_name, last_name, since, order_count, spent_cents, first_order_at,
        last_order_at, order_numbers)
      select coalesce(customer_id, 'guest-' || md5(email)), customer_id, email, first_name, last_name, created_at, 1,
        total_cents, created_at, created_at, order_number from orders where id in (select id from seeds)`);
    await tx.execute(sql`
      insert into tickets (id, ticket_number, kind, status, subject, customer_name, customer_email, sms_consent, message, created_at)
      select 'ticket-' || n, 'T-' || n, 'support',
        case when n > ${orders}::int - greatest(250, ${orders}::int / 100) then 'open' else 'completed' end,
        'Question about ' || number, first || ' ' || last, 'customer' || n || '@example.com', false, 'How do I begin?', at
      from seeds where n % 5 = 0`);
    for (const { make } of indexesBuiltLater.toReversed()) await tx.execute(sql.raw(make));
    await tx.execute(sql`select follow_production(array(select id from seeds where stage <> 'open'))`);
    for (const table of ['frames', 'videos'])
      await tx.execute(sql`alter table ${sql.identifier(table)} enable trigger user`);
    for (const [table, trigger] of peopleTriggers)
      await tx.execute(sql`alter table ${sql.identifier(table)} enable trigger ${sql.identifier(trigger)}`);
  });
}

/**
 * An order number in the shop's format, unique for each n: the factor and the number of possible numbers are coprime.
 */
const createOrderNumberSql = (n: SQL) => sql`(
  select 'KF-' || substr(it, 1, 4) || '-' || substr(it, 5) from (
    select string_agg(substr(${unambiguousCharacters}::text, 1 + (${n} * 405498861997 / power(30, at)::bigint % 30)::int, 1), '') as it
    from generate_series(0, 7) at) characters)`;

/** An id like the provider's, from 62 letters and digits, so that a search rarely matches another id. */
const createIntentIdSql = (cart: SQL) =>
  sql`'pi_3' || translate(encode(decode(md5(${cart}), 'hex'), 'base64'), '+/=', 'xy')`;

const peopleTriggers = [
  ['customers', 'people_customer_added'],
  ['orders', 'people_order_added'],
] as const;
