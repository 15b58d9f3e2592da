CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"email" text DEFAULT '' NOT NULL,
	"first_name" text DEFAULT '' NOT NULL,
	"last_name" text DEFAULT '' NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"order_count" integer DEFAULT 0 NOT NULL,
	"spent_cents" bigint DEFAULT 0 NOT NULL,
	"first_order_at" timestamp with time zone,
	"last_order_at" timestamp with time zone,
	"order_numbers" text DEFAULT '' NOT NULL,
	"search" text GENERATED ALWAYS AS (searchable("first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "order_numbers")) STORED NOT NULL,
	"sort_name" text GENERATED ALWAYS AS (folded("first_name" || ' ' || "last_name")) STORED NOT NULL,
	"last_order" double precision GENERATED ALWAYS AS (coalesce(extract(epoch from "last_order_at" at time zone 'UTC')::double precision, 0)) STORED NOT NULL
);
--> statement-breakpoint
CREATE INDEX "people_since" ON "people" USING btree ("since","id");--> statement-breakpoint
CREATE INDEX "people_sort_name" ON "people" USING btree ("sort_name","since","id");--> statement-breakpoint
CREATE INDEX "people_spent" ON "people" USING btree ("spent_cents","since","id");--> statement-breakpoint
CREATE INDEX "people_orders" ON "people" USING btree ("order_count","since","id");--> statement-breakpoint
CREATE INDEX "people_last_order" ON "people" USING btree ("last_order","since","id");--> statement-breakpoint
CREATE INDEX "people_guests" ON "people" USING btree ("since","id") WHERE "people"."account_id" is null;--> statement-breakpoint
CREATE INDEX "people_again" ON "people" USING btree ("since","id") WHERE "people"."order_count" > 1;--> statement-breakpoint
CREATE INDEX "people_without_order" ON "people" USING btree ("since","id") WHERE "people"."order_count" = 0;--> statement-breakpoint
CREATE INDEX "people_accounts" ON "people" USING btree ("since","id") WHERE "people"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "people_accounts_with_order" ON "people" USING btree ("since","id") WHERE "people"."account_id" is not null and "people"."order_count" > 0;--> statement-breakpoint
CREATE INDEX "people_search" ON "people" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit=256);
--> statement-breakpoint
-- Count these accounts and guests' mailboxes anew. Accounts come before guests, each by its id: whoever needs some of the
-- same waits here, and then counts what the others have written.
CREATE FUNCTION "follow_people"("accounts" text[], "mails" text[]) RETURNS void LANGUAGE plpgsql AS $$
declare
  ids text[] := accounts || array(select 'guest-' || md5(mail) from unnest(mails) mail);
  held integer;
begin
  if cardinality(ids) = 0 then return; end if;
  loop
    insert into people (id) select one from unnest(ids) one order by one like 'guest-%', one on conflict (id) do nothing;
    select count(*) into held
    from (select from people where id = any(ids) order by id like 'guest-%', id for update) locked;
    -- A row may have gone while it was waited for.
    exit when held = cardinality(ids);
  end loop;
  update people it
  set account_id = now.account_id, email = now.email, first_name = now.first_name, last_name = now.last_name,
    since = now.since, order_count = now.order_count, spent_cents = now.spent_cents,
    first_order_at = now.first_order_at, last_order_at = now.last_order_at, order_numbers = now.order_numbers
  from (
    select customers.id, customers.id as account_id, customers.email, customers.first_name, customers.last_name,
      customers.created_at as since, counted.*
    from unnest(accounts) account join customers on customers.id = account
    cross join lateral (
      select count(*) as order_count, coalesce(sum(total_cents - refunded_cents), 0) as spent_cents,
        min(created_at) as first_order_at, max(created_at) as last_order_at,
        coalesce(string_agg(order_number, ' ' order by created_at, id), '') as order_numbers
      from orders where customer_id = account
    ) counted
    union all
    select 'guest-' || md5(mail), null, mail, counted.*
    from unnest(mails) mail
    cross join lateral (
      select (array_agg(first_name order by created_at desc, id desc))[1], (array_agg(last_name order by created_at desc, id desc))[1],
        min(created_at) as since, count(*), sum(total_cents - refunded_cents),
        min(created_at) as first_order_at, max(created_at), string_agg(order_number, ' ' order by created_at, id)
      -- Said so that it is found by its mailbox: half the orders may be guests'.
      from orders where email = mail and coalesce(customer_id, '') = ''
    ) counted
    where counted.since is not null
  ) now
  where it.id = now.id;
  delete from people where id = any(ids) and case when id like 'guest-%'
    then not exists (select from orders where orders.email = people.email and coalesce(orders.customer_id, '') = '')
    else not exists (select from customers where customers.id = people.id) end;
end $$;
--> statement-breakpoint
-- Of an account that was deleted the orders stay, without a mailbox: they are nobody's.
CREATE FUNCTION "orders_tell_people"() RETURNS trigger LANGUAGE plpgsql AS $$
declare
  accounts text[];
  mails text[];
begin
  if tg_op = 'INSERT' then
    perform follow_people(
      array(select distinct customer_id from written where customer_id is not null),
      array(select distinct email from written where customer_id is null and email <> ''));
  elsif tg_op = 'DELETE' then
    perform follow_people(
      array(select distinct customer_id from erased where customer_id is not null),
      array(select distinct email from erased where customer_id is null and email <> ''));
  else
    select array_agg(distinct account) filter (where account is not null),
      array_agg(distinct mail) filter (where account is null and mail <> '')
    into accounts, mails
    from (
      select unnest(array[written.customer_id, erased.customer_id]) as account,
        unnest(array[written.email, erased.email]) as mail
      from written join erased using (id)
      where (written.customer_id, written.email, written.first_name, written.last_name, written.total_cents, written.refunded_cents)
        is distinct from
        (erased.customer_id, erased.email, erased.first_name, erased.last_name, erased.total_cents, erased.refunded_cents)
    ) changed;
    perform follow_people(coalesce(accounts, '{}'), coalesce(mails, '{}'));
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "customers_tell_people"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'INSERT' then
    perform follow_people(array(select id from written), '{}');
  elsif tg_op = 'DELETE' then
    perform follow_people(array(select id from erased), '{}');
  else
    perform follow_people(array(
      select written.id from written join erased using (id)
      where (written.email, written.first_name, written.last_name) is distinct from (erased.email, erased.first_name, erased.last_name)
    ), '{}');
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "people_order_added" AFTER INSERT ON "orders" REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "orders_tell_people"();
--> statement-breakpoint
CREATE TRIGGER "people_order_changed" AFTER UPDATE ON "orders" REFERENCING OLD TABLE AS "erased" NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "orders_tell_people"();
--> statement-breakpoint
CREATE TRIGGER "people_order_removed" AFTER DELETE ON "orders" REFERENCING OLD TABLE AS "erased" FOR EACH STATEMENT EXECUTE FUNCTION "orders_tell_people"();
--> statement-breakpoint
CREATE TRIGGER "people_customer_added" AFTER INSERT ON "customers" REFERENCING NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "customers_tell_people"();
--> statement-breakpoint
CREATE TRIGGER "people_customer_changed" AFTER UPDATE ON "customers" REFERENCING OLD TABLE AS "erased" NEW TABLE AS "written" FOR EACH STATEMENT EXECUTE FUNCTION "customers_tell_people"();
--> statement-breakpoint
CREATE TRIGGER "people_customer_removed" AFTER DELETE ON "customers" REFERENCING OLD TABLE AS "erased" FOR EACH STATEMENT EXECUTE FUNCTION "customers_tell_people"();
--> statement-breakpoint
-- Everyone there is, at once.
INSERT INTO people (id, account_id, email, first_name, last_name, since, order_count, spent_cents, first_order_at, last_order_at, order_numbers)
select customers.id, customers.id, email, first_name, last_name, created_at,
  coalesce(order_count, 0), coalesce(spent_cents, 0), first_order_at, last_order_at, coalesce(order_numbers, '')
from customers left join (
  select customer_id, count(*) as order_count, sum(total_cents - refunded_cents) as spent_cents, min(created_at) as first_order_at,
    max(created_at) as last_order_at, string_agg(order_number, ' ' order by created_at, id) as order_numbers
  from orders group by customer_id
) counted on counted.customer_id = customers.id
union all
select 'guest-' || md5(email), null, email,
  (array_agg(first_name order by created_at desc, id desc))[1], (array_agg(last_name order by created_at desc, id desc))[1],
  min(created_at), count(*), sum(total_cents - refunded_cents), min(created_at), max(created_at),
  string_agg(order_number, ' ' order by created_at, id)
from orders where customer_id is null and email <> '' group by email;
