CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
-- Text as it is searched and sorted: without accents, in lower case.
CREATE FUNCTION "searchable"("words" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select lower(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g')) $$;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "search" text GENERATED ALWAYS AS (searchable("order_number" || ' ' || "first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "stripe_payment_intent_id")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "sort_name" text GENERATED ALWAYS AS (searchable("first_name" || ' ' || "last_name")) STORED NOT NULL;
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "progress" integer GENERATED ALWAYS AS (array_position(array['pending', 'processing', 'completed', 'shipped'], "status")) STORED NOT NULL;
--> statement-breakpoint
-- What waits to be sorted into the index is read by every search, so little of it may wait.
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit = 256);
--> statement-breakpoint
CREATE INDEX "orders_progress" ON "orders" USING btree ("progress", "created_at", "id");
--> statement-breakpoint
CREATE INDEX "orders_sort_name" ON "orders" USING btree ("sort_name", "created_at", "id");
--> statement-breakpoint
CREATE INDEX "orders_total" ON "orders" USING btree ("total_cents", "created_at", "id");
--> statement-breakpoint
CREATE INDEX "uploads_uploaded" ON "uploads" USING btree ("uploaded_at", "id");
--> statement-breakpoint
DROP INDEX "uploads_order";
--> statement-breakpoint
CREATE INDEX "uploads_order" ON "uploads" USING btree ("order_id", "uploaded_at", "id");
--> statement-breakpoint
CREATE TABLE "tallies" (
	"orders" bigint DEFAULT 0 NOT NULL,
	"revenue_cents" bigint DEFAULT 0 NOT NULL,
	"uploads" bigint DEFAULT 0 NOT NULL,
	"customers" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
INSERT INTO "tallies" ("orders", "revenue_cents", "uploads", "customers")
SELECT count(*), coalesce(sum("total_cents" - "refunded_cents"), 0), (SELECT count(*) FROM "uploads"), (SELECT count(*) FROM "customers") FROM "orders";
--> statement-breakpoint
-- Each change adds a row, so that no two orders ever wait for one another; a job folds them into one.
CREATE FUNCTION "tally_added"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  case tg_table_name
    when 'orders' then
      insert into tallies (orders, revenue_cents)
        select count(*), sum(total_cents - refunded_cents) from changed having count(*) > 0;
    when 'uploads' then
      insert into tallies (uploads) select count(*) from changed having count(*) > 0;
    when 'customers' then
      insert into tallies (customers) select count(*) from changed having count(*) > 0;
  end case;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "tally_removed"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  case tg_table_name
    when 'orders' then
      insert into tallies (orders, revenue_cents)
        select -count(*), -sum(total_cents - refunded_cents) from changed having count(*) > 0;
    when 'uploads' then
      insert into tallies (uploads) select -count(*) from changed having count(*) > 0;
    when 'customers' then
      insert into tallies (customers) select -count(*) from changed having count(*) > 0;
  end case;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "tally_money"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into tallies (revenue_cents)
    values ((new.total_cents - new.refunded_cents) - (old.total_cents - old.refunded_cents));
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "orders_added" AFTER INSERT ON "orders" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "tally_added"();
--> statement-breakpoint
CREATE TRIGGER "orders_removed" AFTER DELETE ON "orders" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "tally_removed"();
--> statement-breakpoint
CREATE TRIGGER "orders_money" AFTER UPDATE OF "total_cents", "refunded_cents" ON "orders" FOR EACH ROW
WHEN (new.total_cents - new.refunded_cents <> old.total_cents - old.refunded_cents) EXECUTE FUNCTION "tally_money"();
--> statement-breakpoint
CREATE TRIGGER "uploads_added" AFTER INSERT ON "uploads" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "tally_added"();
--> statement-breakpoint
CREATE TRIGGER "uploads_removed" AFTER DELETE ON "uploads" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "tally_removed"();
--> statement-breakpoint
CREATE TRIGGER "customers_added" AFTER INSERT ON "customers" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "tally_added"();
--> statement-breakpoint
CREATE TRIGGER "customers_removed" AFTER DELETE ON "customers" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "tally_removed"();
--> statement-breakpoint
CREATE TABLE "production_orders" (
	"order_id" text PRIMARY KEY NOT NULL,
	"finalized_at" timestamp with time zone NOT NULL,
	"waiting_since" timestamp with time zone,
	"to_review" integer DEFAULT 0 NOT NULL,
	"under_way" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"turn" double precision GENERATED ALWAYS AS (case when "waiting_since" is null then 1e11 - extract(epoch from "finalized_at" at time zone 'UTC') else extract(epoch from "waiting_since" at time zone 'UTC') end) STORED NOT NULL,
	CONSTRAINT "production_orders_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE cascade ON UPDATE no action
);
--> statement-breakpoint
CREATE INDEX "production_turn" ON "production_orders" USING btree ("turn", "order_id");
--> statement-breakpoint
CREATE INDEX "production_open" ON "production_orders" USING btree ("turn", "order_id") WHERE "production_orders"."waiting_since" is not null;
--> statement-breakpoint
CREATE INDEX "production_delivered" ON "production_orders" USING btree ("turn", "order_id") WHERE "production_orders"."waiting_since" is null;
--> statement-breakpoint
CREATE INDEX "production_review" ON "production_orders" USING btree ("turn", "order_id") WHERE "production_orders"."to_review" > 0;
--> statement-breakpoint
CREATE INDEX "production_under_way" ON "production_orders" USING btree ("turn", "order_id") WHERE "production_orders"."under_way" > 0;
--> statement-breakpoint
CREATE INDEX "production_failed" ON "production_orders" USING btree ("turn", "order_id") WHERE "production_orders"."failed" > 0;
--> statement-breakpoint
CREATE FUNCTION "follow_production"("ids" text[]) RETURNS void LANGUAGE plpgsql AS $$
begin
  insert into production_orders (order_id, finalized_at)
    select order_id, max(finalized_at) from frames
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
--> statement-breakpoint
SELECT follow_production(array(SELECT DISTINCT "order_id" FROM "frames" WHERE "finalized_at" IS NOT NULL));
--> statement-breakpoint
CREATE FUNCTION "frame_followed"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform follow_production(array[coalesce(new.order_id, old.order_id)]);
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "video_followed"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform follow_production(array(select order_id from frames where id = coalesce(new.frame_id, old.frame_id)));
  return null;
end $$;
--> statement-breakpoint
-- At the end of each transaction: this row is locked last by everyone, so nobody waits for it while others wait for them.
CREATE CONSTRAINT TRIGGER "frames_finalized_follow" AFTER INSERT ON "frames" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (new.finalized_at is not null) EXECUTE FUNCTION "frame_followed"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "frames_follow" AFTER UPDATE OF "finalized_at", "videos_ready_at" ON "frames" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (new.finalized_at is distinct from old.finalized_at or new.videos_ready_at is distinct from old.videos_ready_at) EXECUTE FUNCTION "frame_followed"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "videos_added_follow" AFTER INSERT OR DELETE ON "videos" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
EXECUTE FUNCTION "video_followed"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "videos_follow" AFTER UPDATE OF "state" ON "videos" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
WHEN (new.state is distinct from old.state) EXECUTE FUNCTION "video_followed"();
