CREATE TABLE "margin_tallies" (
	"day" date NOT NULL,
	"orders" bigint DEFAULT 0 NOT NULL,
	"paid_cents" bigint DEFAULT 0 NOT NULL,
	"refunded_cents" bigint DEFAULT 0 NOT NULL,
	"disputed_cents" bigint DEFAULT 0 NOT NULL,
	"tax_cents" bigint DEFAULT 0 NOT NULL,
	"frames" bigint DEFAULT 0 NOT NULL,
	"parcels" bigint DEFAULT 0 NOT NULL,
	"fees" bigint DEFAULT 0 NOT NULL,
	"fee_cents" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "video_tallies" (
	"day" date NOT NULL,
	"animator" text NOT NULL,
	"videos" bigint DEFAULT 0 NOT NULL,
	"cents" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "fee_cents" integer;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "fee_asked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "margin_tallies_day" ON "margin_tallies" USING btree ("day");--> statement-breakpoint
CREATE INDEX "video_tallies_day" ON "video_tallies" USING btree ("day","animator");--> statement-breakpoint
CREATE INDEX "payments_fee_unknown" ON "payments" USING btree ("fee_asked_at" NULLS FIRST,"created_at" DESC NULLS LAST) WHERE "payments"."state" = 'settled' and "payments"."fee_cents" is null;
--> statement-breakpoint
-- The sales tax of what was not given back, as the provider takes it back with a refund: in proportion.
CREATE FUNCTION "kept_tax_cents"("tax" integer, "total" integer, "refunded" integer) RETURNS integer LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select tax - case when refunded = 0 then 0 else round(tax::numeric * refunded / total)::integer end $$;
--> statement-breakpoint
-- The frames that an order sends; none where all of its money went back before they left.
CREATE FUNCTION "frames_sent"("product_type" text, "quantity" integer, "shipped_at" timestamp with time zone, "total" integer, "refunded" integer)
RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ select case when product_type not in ('kinframe', 'kinframe-with-bundle') or (shipped_at is null and refunded = total) then 0 else quantity end $$;
--> statement-breakpoint
-- What a dispute holds of an order's money (isMoneyGone in shop/refunds/disputes.ts).
CREATE FUNCTION "disputed_cents"("status" text, "amount" integer) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ select case when status = 'lost' or status ~ '^(needs_response|under_review|appeal_.*)$' then amount else 0 end $$;
--> statement-breakpoint
-- Each change adds a row, as it does to "day_tallies". An order's fee is never known in the transaction that makes it.
CREATE FUNCTION "orders_margin_told"() RETURNS trigger LANGUAGE plpgsql AS $$
declare sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into margin_tallies (day, orders, paid_cents, refunded_cents, tax_cents, frames, parcels)
    select shop_day(created_at), sign * count(*), sign * sum(total_cents), sign * sum(refunded_cents),
      sign * sum(kept_tax_cents(tax_cents, total_cents, refunded_cents)), sign * sum(frames_sent(product_type, quantity, shipped_at, total_cents, refunded_cents)),
      sign * count(*) filter (where frames_sent(product_type, quantity, shipped_at, total_cents, refunded_cents) > 0)
    from changed group by 1;
  if tg_op = 'DELETE' then
    insert into margin_tallies (day, fees, fee_cents)
      select shop_day(changed.created_at), -count(*), -sum(fee_cents)
      from changed join payments on payments.id = payment_id where fee_cents is not null group by 1;
    insert into video_tallies (day, animator, videos, cents)
      select shop_day(changed.created_at), animator, -count(*), -sum(price_cents)
      from changed join animation_orders on order_id = changed.id group by 1, 2;
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "order_margin_moved"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into margin_tallies (day, paid_cents, refunded_cents, tax_cents, frames, parcels) values (
    shop_day(old.created_at), new.total_cents - old.total_cents, new.refunded_cents - old.refunded_cents,
    kept_tax_cents(new.tax_cents, new.total_cents, new.refunded_cents) - kept_tax_cents(old.tax_cents, old.total_cents, old.refunded_cents),
    frames_sent(new.product_type, new.quantity, new.shipped_at, new.total_cents, new.refunded_cents) - frames_sent(old.product_type, old.quantity, old.shipped_at, old.total_cents, old.refunded_cents), (frames_sent(new.product_type, new.quantity, new.shipped_at, new.total_cents, new.refunded_cents) > 0)::integer - (frames_sent(old.product_type, old.quantity, old.shipped_at, old.total_cents, old.refunded_cents) > 0)::integer);
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "fee_told"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into margin_tallies (day, fees, fee_cents)
    select shop_day(created_at), (new.fee_cents is not null)::integer - (old.fee_cents is not null)::integer,
      coalesce(new.fee_cents, 0) - coalesce(old.fee_cents, 0)
    from orders where payment_id = new.id;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "dispute_told"() RETURNS trigger LANGUAGE plpgsql AS $$
declare change integer := 0;
begin
  if tg_op <> 'INSERT' then change := change - disputed_cents(old.status, old.amount_cents); end if;
  if tg_op <> 'DELETE' then change := change + disputed_cents(new.status, new.amount_cents); end if;
  if change <> 0 then
    insert into margin_tallies (day, disputed_cents)
      select shop_day(created_at), change from orders where id = case tg_op when 'DELETE' then old.order_id else new.order_id end;
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "animation_order_told"() RETURNS trigger LANGUAGE plpgsql AS $$
declare sign integer := case tg_op when 'DELETE' then -1 else 1 end;
begin
  insert into video_tallies (day, animator, videos, cents)
    select shop_day(orders.created_at), animator, sign * count(*), sign * sum(price_cents)
    from changed join orders on orders.id = order_id group by 1, 2;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "orders_added_margin" AFTER INSERT ON "orders" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "orders_margin_told"();
--> statement-breakpoint
CREATE TRIGGER "orders_removed_margin" AFTER DELETE ON "orders" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "orders_margin_told"();
--> statement-breakpoint
CREATE TRIGGER "orders_moved_margin" AFTER UPDATE OF "total_cents", "tax_cents", "refunded_cents", "shipped_at", "quantity", "product_type" ON "orders" FOR EACH ROW
WHEN ((new.total_cents, new.tax_cents, new.refunded_cents, new.quantity, new.product_type, new.shipped_at is null)
  IS DISTINCT FROM (old.total_cents, old.tax_cents, old.refunded_cents, old.quantity, old.product_type, old.shipped_at is null))
EXECUTE FUNCTION "order_margin_moved"();
--> statement-breakpoint
CREATE TRIGGER "payments_fee_told" AFTER UPDATE OF "fee_cents" ON "payments" FOR EACH ROW
WHEN (new.fee_cents IS DISTINCT FROM old.fee_cents) EXECUTE FUNCTION "fee_told"();
--> statement-breakpoint
CREATE TRIGGER "disputes_told" AFTER INSERT OR DELETE OR UPDATE OF "status", "amount_cents" ON "disputes" FOR EACH ROW EXECUTE FUNCTION "dispute_told"();
--> statement-breakpoint
CREATE TRIGGER "animation_orders_added" AFTER INSERT ON "animation_orders" REFERENCING NEW TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "animation_order_told"();
--> statement-breakpoint
CREATE TRIGGER "animation_orders_removed" AFTER DELETE ON "animation_orders" REFERENCING OLD TABLE AS "changed" FOR EACH STATEMENT EXECUTE FUNCTION "animation_order_told"();
--> statement-breakpoint
INSERT INTO "margin_tallies" ("day", "orders", "paid_cents", "refunded_cents", "tax_cents", "frames", "parcels")
SELECT shop_day("created_at"), count(*), sum("total_cents"), sum("refunded_cents"), sum(kept_tax_cents("tax_cents", "total_cents", "refunded_cents")),
  sum(frames_sent(product_type, quantity, shipped_at, total_cents, refunded_cents)), count(*) FILTER (WHERE frames_sent(product_type, quantity, shipped_at, total_cents, refunded_cents) > 0)
FROM "orders" GROUP BY 1;
--> statement-breakpoint
INSERT INTO "margin_tallies" ("day", "disputed_cents")
SELECT shop_day("orders"."created_at"), sum(disputed_cents("told"."status", "amount_cents"))
FROM (SELECT "order_id", "status", "amount_cents" FROM "disputes") "told" JOIN "orders" ON "orders"."id" = "order_id" GROUP BY 1;
--> statement-breakpoint
INSERT INTO "video_tallies" ("day", "animator", "videos", "cents")
SELECT shop_day("orders"."created_at"), "animator", count(*), sum("price_cents")
FROM "animation_orders" JOIN "orders" ON "orders"."id" = "order_id" GROUP BY 1, 2;
