CREATE TABLE "carts" (
	"id" text PRIMARY KEY NOT NULL,
	"checkout_id" text NOT NULL,
	"customer_id" text,
	"product_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"extra_packages" integer NOT NULL,
	"lines" jsonb NOT NULL,
	"details" jsonb,
	"subtotal_cents" integer NOT NULL,
	"discount_cents" integer NOT NULL,
	"promo_code" text,
	"promotion_use" text NOT NULL,
	"tax_cents" integer NOT NULL,
	"tax_rate" text,
	"tax_jurisdiction" text,
	"tax_calculation_id" text,
	"total_cents" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "carts_total" CHECK ("carts"."total_cents" = "carts"."subtotal_cents" - "carts"."discount_cents" + "carts"."tax_cents")
);
--> statement-breakpoint
-- Every payment had its cart within it: the cart takes the payment's id for its own.
INSERT INTO "carts" (
	"id", "checkout_id", "customer_id", "product_id", "quantity", "extra_packages", "lines", "details",
	"subtotal_cents", "discount_cents", "promo_code", "promotion_use",
	"tax_cents", "tax_rate", "tax_jurisdiction", "tax_calculation_id", "total_cents", "created_at"
)
SELECT
	"id", "checkout_id", "customer_id", "product_id", "quantity", "extra_packages", "lines", "details",
	"subtotal_cents", "discount_cents", "promo_code",
	CASE WHEN NOT "holds_promotion" THEN 'none' WHEN "state" = 'settled' THEN 'spent' ELSE 'held' END,
	"tax_cents", "tax_rate", "tax_jurisdiction", "tax_calculation_id", "total_cents", "created_at"
FROM "payments";
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "purpose" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "purpose_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "email" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "asked_at" timestamp with time zone;--> statement-breakpoint
UPDATE "payments" SET
	"purpose" = 'order',
	"purpose_id" = "id",
	"email" = coalesce("details" ->> 'email', (SELECT "email" FROM "customers" WHERE "customers"."id" = "payments"."customer_id")),
	"expires_at" = "created_at" + CASE WHEN "holds_promotion" THEN interval '2 hours' ELSE interval '24 hours' END,
	"asked_at" = "created_at";
--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "purpose" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "purpose_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "expires_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ALTER COLUMN "asked_at" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "total_cents" TO "amount_cents";--> statement-breakpoint
ALTER TABLE "payments" RENAME COLUMN "livemode" TO "mode";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_total";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_checkout_id_checkouts_id_fk";--> statement-breakpoint
DROP INDEX "payments_checkout";--> statement-breakpoint
DROP INDEX "payments_open";--> statement-breakpoint
ALTER TABLE "payments"
	DROP COLUMN "checkout_id",
	DROP COLUMN "customer_id",
	DROP COLUMN "product_id",
	DROP COLUMN "quantity",
	DROP COLUMN "extra_packages",
	DROP COLUMN "lines",
	DROP COLUMN "details",
	DROP COLUMN "subtotal_cents",
	DROP COLUMN "discount_cents",
	DROP COLUMN "promo_code",
	DROP COLUMN "holds_promotion",
	DROP COLUMN "tax_cents",
	DROP COLUMN "tax_rate",
	DROP COLUMN "tax_jurisdiction",
	DROP COLUMN "tax_calculation_id";
--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "payment_id" text;--> statement-breakpoint
UPDATE "refunds" SET "payment_id" = "orders"."payment_id" FROM "orders" WHERE "orders"."id" = "refunds"."order_id";--> statement-breakpoint
ALTER TABLE "refunds" ALTER COLUMN "payment_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "carts_checkout" ON "carts" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "payments_open" ON "payments" USING btree ("asked_at","id") WHERE "payments"."state" in ('asking', 'open');--> statement-breakpoint
CREATE INDEX "payments_refunding" ON "payments" USING btree ("updated_at") WHERE "payments"."state" = 'refunding';--> statement-breakpoint
CREATE INDEX "payments_mismatched" ON "payments" USING btree ("created_at") WHERE "payments"."state" = 'mismatched';--> statement-breakpoint
CREATE INDEX "payments_purpose" ON "payments" USING btree ("purpose_id");--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id");
