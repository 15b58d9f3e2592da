CREATE TABLE "code_tallies" (
	"day" date NOT NULL,
	"code" text NOT NULL,
	"uses" bigint DEFAULT 0 NOT NULL,
	"discount_cents" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "day_tallies" (
	"day" date NOT NULL,
	"orders" bigint DEFAULT 0 NOT NULL,
	"revenue_cents" bigint DEFAULT 0 NOT NULL,
	"frame_orders" bigint DEFAULT 0 NOT NULL,
	"finalized" bigint DEFAULT 0 NOT NULL,
	"delivered" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "page_tallies" (
	"day" date NOT NULL,
	"page_path" text NOT NULL,
	"views" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX "code_tallies_day" ON "code_tallies" USING btree ("day","code");--> statement-breakpoint
CREATE INDEX "day_tallies_day" ON "day_tallies" USING btree ("day");--> statement-breakpoint
CREATE INDEX "page_tallies_day" ON "page_tallies" USING btree ("day","page_path");
--> statement-breakpoint
-- The day of the shop's calendar (contract/calendar.ts).
CREATE FUNCTION "shop_day"("moment" timestamp with time zone) RETURNS date LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select (moment at time zone 'America/New_York')::date $$;
--> statement-breakpoint
-- Each change adds a row, as it does to "tallies": nobody ever waits for anybody, and a job folds them.
CREATE FUNCTION "orders_told_by_day"() RETURNS trigger LANGUAGE plpgsql AS $$
declare sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into day_tallies (day, orders, frame_orders, revenue_cents)
    select shop_day(created_at), sign * count(*), sign * count(*) filter (where frame_id is null), sign * sum(total_cents)
    from changed group by 1;
  insert into code_tallies (day, code, uses, discount_cents)
    select shop_day(created_at), upper(promo_code), sign * count(*), sign * sum(discount_cents)
    from changed where promo_code is not null group by 1, 2;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "order_total_told_by_day"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into day_tallies (day, revenue_cents) values (shop_day(old.created_at), new.total_cents - old.total_cents);
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "refund_told_by_day"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op <> 'INSERT' and old.state <> 'failed' then
    insert into day_tallies (day, refunded_cents) values (shop_day(old.created_at), -old.amount_cents);
  end if;
  if tg_op <> 'DELETE' and new.state <> 'failed' then
    insert into day_tallies (day, refunded_cents) values (shop_day(new.created_at), new.amount_cents);
  end if;
  return null;
end $$;
--> statement-breakpoint
-- How far the orders of a day are: told with the day they were paid on.
CREATE FUNCTION "production_told_by_day"() RETURNS trigger LANGUAGE plpgsql AS $$
declare sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into day_tallies (day, finalized, delivered)
    select shop_day(orders.created_at), sign * count(*), sign * count(*) filter (where changed.waiting_since is null)
    from changed join orders on orders.id = changed.order_id group by 1;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "production_moved_by_day"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into day_tallies (day, delivered)
    select shop_day(orders.created_at), sum(case when now.waiting_since is null then 1 else -1 end)
    from now join before on before.order_id = now.order_id join orders on orders.id = now.order_id
    where (now.waiting_since is null) <> (before.waiting_since is null) group by 1;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "page_views_told_by_day"() RETURNS trigger LANGUAGE plpgsql AS $$
declare sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into page_tallies (day, page_path, views)
    select shop_day(viewed_at), page_path, sign * count(*) from changed group by 1, 2;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "orders_added_by_day" AFTER INSERT ON "orders" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "orders_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "orders_removed_by_day" AFTER DELETE ON "orders" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "orders_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "orders_total_by_day" AFTER UPDATE OF "total_cents" ON "orders" FOR EACH ROW
WHEN (new.total_cents <> old.total_cents) EXECUTE FUNCTION "order_total_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "refunds_by_day" AFTER INSERT OR DELETE ON "refunds" FOR EACH ROW EXECUTE FUNCTION "refund_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "refunds_moved_by_day" AFTER UPDATE OF "state", "amount_cents" ON "refunds" FOR EACH ROW
WHEN ((new.state = 'failed') <> (old.state = 'failed') OR new.amount_cents <> old.amount_cents) EXECUTE FUNCTION "refund_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "production_added_by_day" AFTER INSERT ON "production_orders" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "production_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "production_removed_by_day" AFTER DELETE ON "production_orders" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "production_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "production_moved_by_day" AFTER UPDATE ON "production_orders" REFERENCING OLD TABLE AS "before" NEW TABLE AS "now" FOR EACH STATEMENT EXECUTE FUNCTION "production_moved_by_day"();
--> statement-breakpoint
CREATE TRIGGER "page_views_added_by_day" AFTER INSERT ON "page_views" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "page_views_told_by_day"();
--> statement-breakpoint
CREATE TRIGGER "page_views_removed_by_day" AFTER DELETE ON "page_views" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "page_views_told_by_day"();
--> statement-breakpoint
-- Counted once the triggers stand: until the migration ends nobody adds anything in between.
INSERT INTO "day_tallies" ("day", "orders", "frame_orders", "revenue_cents", "finalized", "delivered")
SELECT shop_day("created_at"), count(*), count(*) FILTER (WHERE "frame_id" IS NULL), sum("total_cents"),
  count("order_id"), count("order_id") FILTER (WHERE "waiting_since" IS NULL)
FROM "orders" LEFT JOIN "production_orders" ON "order_id" = "orders"."id" GROUP BY 1;
--> statement-breakpoint
INSERT INTO "day_tallies" ("day", "refunded_cents")
SELECT shop_day("created_at"), sum("amount_cents") FROM "refunds" WHERE "state" <> 'failed' GROUP BY 1;
--> statement-breakpoint
INSERT INTO "page_tallies" ("day", "page_path", "views")
SELECT shop_day("viewed_at"), "page_path", count(*) FROM "page_views" GROUP BY 1, 2;
--> statement-breakpoint
INSERT INTO "code_tallies" ("day", "code", "uses", "discount_cents")
SELECT shop_day("created_at"), upper("promo_code"), count(*), sum("discount_cents") FROM "orders" WHERE "promo_code" IS NOT NULL GROUP BY 1, 2;
--> statement-breakpoint
-- As in migration 0007, but what is new waits from its first row on: else it would be told as delivered, and as not, each time.
CREATE OR REPLACE FUNCTION "follow_production"("ids" text[]) RETURNS void LANGUAGE plpgsql AS $$
begin
  insert into production_orders (order_id, finalized_at, waiting_since)
    select order_id, max(finalized_at), min(finalized_at) filter (where videos_ready_at is null) from frames
    where order_id = any(ids) and finalized_at is not null group by order_id
    on conflict (order_id) do nothing;
  -- Whoever comes second waits here, and then counts what the first has written.
  perform from production_orders where order_id = any(ids) order by order_id for update;
  update production_orders it
  set finalized_at = now.finalized_at, waiting_since = now.waiting_since,
    to_review = now.to_review, under_way = now.under_way, failed = now.failed
  from (
    select frames.order_id,
      max(frames.finalized_at) as finalized_at,
      min(frames.finalized_at) filter (where frames.videos_ready_at is null) as waiting_since,
      count(*) filter (where videos.state = 'rendered') as to_review,
      count(*) filter (where videos.state in ('queued', 'rendering')) as under_way,
      count(*) filter (where videos.state = 'failed') as failed
    from frames left join videos on videos.frame_id = frames.id
    where frames.order_id = any(ids) and frames.finalized_at is not null
    group by frames.order_id
  ) now
  where it.order_id = now.order_id;
  delete from production_orders it where order_id = any(ids)
    and not exists (select from frames where frames.order_id = it.order_id and frames.finalized_at is not null);
end $$;
