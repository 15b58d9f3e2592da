CREATE TABLE "labels" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"state" text NOT NULL,
	"shipment_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"parcel" jsonb NOT NULL,
	"rates" jsonb NOT NULL,
	"carrier" text,
	"service" text,
	"rate_id" text,
	"price_cents" integer,
	"tracking_number" text,
	"tracker_id" text,
	"pdf_key" text,
	"pdf_bytes" integer,
	"erased_at" timestamp with time zone,
	"problem" text,
	"buying_at" timestamp with time zone,
	"bought_at" timestamp with time zone,
	"voiding_at" timestamp with time zone,
	"delivered_at" timestamp with time zone,
	"checked_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "labels_shipment_id_unique" UNIQUE("shipment_id"),
	CONSTRAINT "labels_price" CHECK ("labels"."price_cents" >= 0),
	CONSTRAINT "labels_bought" CHECK ("labels"."state" in ('quoted', 'buying', 'failed') or ("labels"."tracking_number" is not null and "labels"."price_cents" is not null and "labels"."bought_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "label_tallies" (
	"day" date NOT NULL,
	"labels" bigint DEFAULT 0 NOT NULL,
	"cents" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "delivered_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "label_cents" integer;--> statement-breakpoint
ALTER TABLE "labels" ADD CONSTRAINT "labels_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "labels_order" ON "labels" USING btree ("order_id","created_at");--> statement-breakpoint
CREATE INDEX "labels_created" ON "labels" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "labels_current" ON "labels" USING btree ("order_id") WHERE "labels"."state" in ('buying', 'bought');--> statement-breakpoint
CREATE INDEX "labels_open" ON "labels" USING btree ("checked_at") WHERE "labels"."state" in ('buying', 'voiding');--> statement-breakpoint
CREATE INDEX "labels_unbought" ON "labels" USING btree ("updated_at") WHERE "labels"."state" in ('quoted', 'failed');--> statement-breakpoint
CREATE INDEX "labels_without_pdf" ON "labels" USING btree ("bought_at") WHERE "labels"."state" = 'bought' and "labels"."pdf_key" is null and "labels"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "labels_with_pdf" ON "labels" USING btree ("bought_at") WHERE "labels"."pdf_key" is not null;--> statement-breakpoint
CREATE INDEX "labels_pdf" ON "labels" USING btree ("pdf_key");--> statement-breakpoint
CREATE INDEX "labels_tracker" ON "labels" USING btree ("tracker_id");--> statement-breakpoint
CREATE INDEX "label_tallies_day" ON "label_tallies" USING btree ("day");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_label" CHECK ("orders"."label_cents" >= 0);
--> statement-breakpoint
-- The labels of an order for "label_tallies": a parcel with a label, and what its labels cost.
CREATE FUNCTION "labelled_parcels"("it" "orders") RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ select (it.label_cents is not null and frames_sent(it.product_type, it.quantity, it.shipped_at, it.total_cents, it.refunded_cents) > 0)::integer $$;
--> statement-breakpoint
CREATE FUNCTION "order_label_told"() RETURNS trigger LANGUAGE plpgsql AS $$
declare parcels integer := 0;
declare amount integer := 0;
begin
  if tg_op <> 'DELETE' then
    parcels := labelled_parcels(new);
    amount := coalesce(new.label_cents, 0);
  end if;
  if tg_op <> 'INSERT' then
    parcels := parcels - labelled_parcels(old);
    amount := amount - coalesce(old.label_cents, 0);
  end if;
  if parcels <> 0 or amount <> 0 then
    insert into label_tallies (day, labels, cents)
      values (shop_day(case tg_op when 'DELETE' then old.created_at else new.created_at end), parcels, amount);
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "orders_added_label" AFTER INSERT ON "orders" FOR EACH ROW WHEN (new.label_cents IS NOT NULL) EXECUTE FUNCTION "order_label_told"();
--> statement-breakpoint
CREATE TRIGGER "orders_removed_label" AFTER DELETE ON "orders" FOR EACH ROW WHEN (old.label_cents IS NOT NULL) EXECUTE FUNCTION "order_label_told"();
--> statement-breakpoint
CREATE TRIGGER "orders_moved_label" AFTER UPDATE OF "label_cents", "total_cents", "refunded_cents", "shipped_at", "quantity", "product_type" ON "orders" FOR EACH ROW
WHEN (new.label_cents IS NOT NULL OR old.label_cents IS NOT NULL) EXECUTE FUNCTION "order_label_told"();
