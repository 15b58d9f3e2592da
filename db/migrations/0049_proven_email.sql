ALTER TABLE "customers" ADD COLUMN "email_proven_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "passkeys" ADD COLUMN "session_hash" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "passkey_id" text;
--> statement-breakpoint
-- A confirmation of before says that a link was opened, by a person or by a mail scanner: not by whom. It counts where the
-- account itself shows that its maker is the buyer of that address (docs/decisions/proven-email.md). All others prove it once.
UPDATE "customers" SET "email_proven_at" = "email_confirmed_at"
WHERE "email_confirmed_at" IS NOT NULL
  AND "id" NOT IN (SELECT split_part("event", ':', 2) FROM "mails" WHERE starts_with("event", 'email-changed:'))
  AND (
    -- Made with the link in a receipt: no other account was ever without a confirmation letter.
    NOT EXISTS (SELECT FROM "mails" WHERE "event" = 'email-confirmation:' || "customers"."id")
    -- Made in the browser that had just paid: the letter names the order.
    OR EXISTS (
      SELECT FROM "mails"
      WHERE "event" = 'email-confirmation:' || "customers"."id" AND "content" ->> 'orderNumber' IS NOT NULL)
    -- It has bought something itself, signed in, under this address.
    OR EXISTS (
      SELECT FROM "orders" JOIN "carts" ON "carts"."checkout_id" = "orders"."checkout_id"
      WHERE "orders"."customer_id" = "customers"."id" AND "orders"."email" = "customers"."email"
        AND "carts"."customer_id" = "customers"."id")
  );
