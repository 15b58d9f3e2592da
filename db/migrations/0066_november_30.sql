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
CREATE TABLE "staff_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"is_synced" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"staff_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "push_devices" (
	"id" text PRIMARY KEY NOT NULL,
	"staff_id" text,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"device" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_sent_at" timestamp with time zone,
	CONSTRAINT "push_devices_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
CREATE TABLE "push_keys" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	CONSTRAINT "push_keys_one" CHECK ("push_keys"."is_only")
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"state" text NOT NULL,
	"password_hash" text,
	"invited_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "staff_email_lower" CHECK ("staff"."email" = lower("staff"."email")),
	CONSTRAINT "staff_removed" CHECK (("staff"."state" = 'removed') = ("staff"."removed_at" is not null)),
	CONSTRAINT "staff_accepted" CHECK ("staff"."state" <> 'active' or "staff"."accepted_at" is not null),
	CONSTRAINT "staff_password" CHECK ("staff"."state" <> 'removed' or "staff"."password_hash" is null)
);
--> statement-breakpoint
CREATE TABLE "inbound_mails" (
	"id" text PRIMARY KEY NOT NULL,
	"outcome" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "saved_replies" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"words" text NOT NULL,
	"saved_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_files" (
	"id" text PRIMARY KEY NOT NULL,
	"message_id" text,
	"answer_id" text,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "ticket_files_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "ticket_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"ticket_id" text NOT NULL,
	"from_name" text NOT NULL,
	"from_email" text NOT NULL,
	"words" text NOT NULL,
	"quoted" text NOT NULL,
	"left_out" jsonb NOT NULL,
	"problem" text,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_browsers" ADD COLUMN "staff_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "staff_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "ended_because" text;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "person_name" text;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "person_role" text;--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "gift_card_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "gift_card_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "shown_with_id" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "is_shown_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "second_upload_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "part_of_id" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "gift_cards" jsonb;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "related_ticket_id" text;--> statement-breakpoint
ALTER TABLE "checkout_browsers" ADD CONSTRAINT "checkout_browsers_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "phone_orders" ADD CONSTRAINT "phone_orders_checkout_id_checkouts_id_fk" FOREIGN KEY ("checkout_id") REFERENCES "public"."checkouts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_codes" ADD CONSTRAINT "gift_card_codes_gift_card_id_gift_cards_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_card_uses" ADD CONSTRAINT "gift_card_uses_gift_card_id_gift_cards_id_fk" FOREIGN KEY ("gift_card_id") REFERENCES "public"."gift_cards"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_passkeys" ADD CONSTRAINT "staff_passkeys_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_message_id_ticket_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."ticket_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_answer_id_ticket_answers_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."ticket_answers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "checkout_browsers_created" ON "checkout_browsers" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "checkout_browsers_checkout" ON "checkout_browsers" USING btree ("checkout_id");--> statement-breakpoint
CREATE INDEX "phone_orders_created" ON "phone_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "phone_orders_expiry" ON "phone_orders" USING btree ("expires_at");--> statement-breakpoint
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
CREATE INDEX "staff_passkeys_member" ON "staff_passkeys" USING btree ("staff_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree ("email") WHERE "staff"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX "staff_invited" ON "staff" USING btree ("invited_at","id");--> statement-breakpoint
CREATE INDEX "inbound_mails_read" ON "inbound_mails" USING btree ("read_at");--> statement-breakpoint
CREATE INDEX "ticket_files_message" ON "ticket_files" USING btree ("message_id","position");--> statement-breakpoint
CREATE INDEX "ticket_files_answer" ON "ticket_files" USING btree ("answer_id","position");--> statement-breakpoint
CREATE INDEX "ticket_files_unsent" ON "ticket_files" USING btree ("added_at") WHERE "ticket_files"."message_id" is null and "ticket_files"."answer_id" is null;--> statement-breakpoint
CREATE INDEX "ticket_messages_ticket" ON "ticket_messages" USING btree ("ticket_id","received_at");--> statement-breakpoint
CREATE INDEX "ticket_messages_sender" ON "ticket_messages" USING btree ("from_email","received_at");--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_second_upload_id_uploads_id_fk" FOREIGN KEY ("second_upload_id") REFERENCES "public"."uploads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_part_of_id_refunds_id_fk" FOREIGN KEY ("part_of_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_related_ticket_id_tickets_id_fk" FOREIGN KEY ("related_ticket_id") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_staff" ON "sessions" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "audit_trail_person" ON "audit_trail" USING btree ("person_id","at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_shown_with" ON "uploads" USING btree ("shown_with_id");--> statement-breakpoint
CREATE INDEX "disputes_created" ON "disputes" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "refunds_created" ON "refunds" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_related" ON "tickets" USING btree ("related_ticket_id");--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_second_upload_id_unique" UNIQUE("second_upload_id");--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_whose" CHECK ("known_browsers"."account" = coalesce("known_browsers"."customer_id", "known_browsers"."staff_id", 'owner'));--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_of_staff" CHECK (("sessions"."kind" = 'staff') = ("sessions"."staff_id" is not null));--> statement-breakpoint
ALTER TABLE "carts" ADD CONSTRAINT "carts_gift_cards" CHECK ("carts"."gift_card_cents" between 0 and "carts"."total_cents");--> statement-breakpoint
ALTER TABLE "orders" ADD CONSTRAINT "orders_gift_cards" CHECK ("orders"."gift_card_cents" between 0 and "orders"."total_cents");--> statement-breakpoint
-- Rows with a person hash it, too. Rows without one keep the hash of earlier releases, so the chain of old rows stays valid.
CREATE OR REPLACE FUNCTION "audit_hash"("previous" text, "it" "audit_trail") RETURNS text LANGUAGE sql STABLE AS $$
  select encode(sha256(convert_to((jsonb_build_array(
    previous, it.place, it.id, it.act, it.subject_id, it.before, it.after, it.request_id, (extract(epoch from it.at) * 1000000)::bigint
  ) || case when num_nonnulls(it.person_id, it.person_name, it.person_role) = 0 then '[]'::jsonb
    else jsonb_build_array(it.person_id, it.person_name, it.person_role) end)::text, 'UTF8')), 'hex')
$$;
