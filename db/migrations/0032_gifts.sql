ALTER TABLE "orders" ADD COLUMN "gift" jsonb;--> statement-breakpoint
CREATE INDEX "orders_gifts" ON "orders" USING btree ("created_at","id") WHERE "orders"."gift" is not null and "orders"."shipped_at" is null;--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_gift_sent" CHECK ("orders"."gift" is null or "orders"."shipping_address" is not null);