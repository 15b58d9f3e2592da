CREATE TABLE "gift_card_codes" (
	"code_hash" text PRIMARY KEY NOT NULL,
	"gift_card_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "gift_card_uses" (
	"cart_id" text NOT NULL,
	"gift_card_id" text NOT NULL,
	"last_four" text NOT NULL,
	"position" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"state" text NOT NULL,
	"hold_ends_at" timestamp with time zone NOT NULL,
	"order_id" text,
	"returned_cents" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "gift_card_uses_cart_id_gift_card_id_pk" PRIMARY KEY("cart_id","gift_card_id"),
	CONSTRAINT "gift_card_uses_amount" CHECK ("gift_card_uses"."amount_cents" > 0),
	CONSTRAINT "gift_card_uses_returned" CHECK ("gift_card_uses"."returned_cents" between 0 and "gift_card_uses"."amount_cents"),
	CONSTRAINT "gift_card_uses_spent" CHECK (("gift_card_uses"."order_id" is not null) = ("gift_card_uses"."state" = 'spent'))
);
--> statement-breakpoint
CREATE TABLE "gift_cards" (
	"id" text PRIMARY KEY NOT NULL,
	"number" text NOT NULL,
	"purchase_id" text NOT NULL,
	"is_for_frame" boolean NOT NULL,
	"amount_cents" integer NOT NULL,
	"balance_cents" integer NOT NULL,
	"state" text NOT NULL,
	"recipient_name" text NOT NULL,
	"recipient_email" text,
	"sender_name" text NOT NULL,
	"buyer_email" text NOT NULL,
	"message" text,
	"deliver_on" text,
	"customer_id" text,
	"payment_id" text,
	"last_four" text,
	"sent_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"voided_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"search" text GENERATED ALWAYS AS (searchable("number" || ' ' || coalesce("last_four", '') || ' ' || "recipient_name" || ' ' || coalesce("recipient_email", '') || ' ' || "sender_name" || ' ' || "buyer_email")) STORED NOT NULL,
	CONSTRAINT "gift_cards_number_unique" UNIQUE("number"),
	CONSTRAINT "gift_cards_payment_id_unique" UNIQUE("payment_id"),
	CONSTRAINT "gift_cards_amount" CHECK ("gift_cards"."amount_cents" > 0),
	CONSTRAINT "gift_cards_balance" CHECK ("gift_cards"."balance_cents" between 0 and "gift_cards"."amount_cents"),
	CONSTRAINT "gift_cards_day" CHECK (("gift_cards"."deliver_on" is null) = ("gift_cards"."recipient_email" is null))
);
--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_positive";--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "gift_card_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "gift_card_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "gift_cards" jsonb;--> statement-breakpoint
ALTER TABLE "gift_card_codes" ADD CONSTRAINT "gift_card_codes_gift_card_id_gift_cards_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_uses" ADD CONSTRAINT "gift_card_uses_gift_card_id_gift_cards_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "gift_card_codes_card" ON "gift_card_codes" USING btree ("gift_card_id");--> statement-breakpoint
CREATE INDEX "gift_card_uses_card" ON "gift_card_uses" USING btree ("gift_card_id");--> statement-breakpoint
CREATE INDEX "gift_card_uses_order" ON "gift_card_uses" USING btree ("order_id") WHERE "gift_card_uses"."order_id" is not null;--> statement-breakpoint
CREATE INDEX "gift_cards_purchase" ON "gift_cards" USING btree ("purchase_id");--> statement-breakpoint
CREATE UNIQUE INDEX "gift_cards_paid_once" ON "gift_cards" USING btree ("purchase_id") WHERE "gift_cards"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX "gift_cards_created" ON "gift_cards" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "gift_cards_state" ON "gift_cards" USING btree ("state","created_at","id");--> statement-breakpoint
CREATE INDEX "gift_cards_search" ON "gift_cards" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "gift_cards_due" ON "gift_cards" USING btree ("deliver_on") WHERE "gift_cards"."state" = 'active' and "gift_cards"."sent_at" is null and "gift_cards"."deliver_on" is not null;--> statement-breakpoint
CREATE INDEX "gift_cards_buyer" ON "gift_cards" USING btree ("buyer_email");--> statement-breakpoint
CREATE INDEX "gift_cards_customer" ON "gift_cards" USING btree ("customer_id");--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_gift_cards" CHECK ("carts"."gift_card_cents" between 0 and "carts"."total_cents");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_gift_cards" CHECK ("orders"."gift_card_cents" between 0 and "orders"."total_cents");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_positive" CHECK ("payments"."amount_cents" >= 0);