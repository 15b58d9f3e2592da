CREATE TABLE "checkout_browsers" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"checkout_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"started_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "phone_orders" (
	"id" text PRIMARY KEY NOT NULL,
	"checkout_id" text NOT NULL,
	"product_id" text NOT NULL,
	"quantity" integer NOT NULL,
	"extra_packages" integer NOT NULL,
	"promo_code" text,
	"customer" jsonb,
	"note" text DEFAULT '' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"mails" integer DEFAULT 0 NOT NULL,
	"opened_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "phone_orders_checkout_id_unique" UNIQUE("checkout_id"),
	CONSTRAINT "phone_orders_mails" CHECK ("phone_orders"."mails" >= 0)
);
--> statement-breakpoint
ALTER TABLE "checkout_browsers" ADD CONSTRAINT "checkout_browsers_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_orders" ADD CONSTRAINT "phone_orders_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "checkout_browsers_created" ON "checkout_browsers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "checkout_browsers_checkout" ON "checkout_browsers" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "phone_orders_created" ON "phone_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "phone_orders_expiry" ON "phone_orders" USING btree ("expires_at");