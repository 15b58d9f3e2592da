ALTER TABLE "orders" ADD COLUMN "canceled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "tells_customer" boolean DEFAULT true NOT NULL;--> statement-breakpoint
CREATE INDEX "orders_canceled" ON "orders" USING btree ("created_at","id") WHERE "orders"."canceled_at" is not null;