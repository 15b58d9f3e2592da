CREATE TABLE "known_browsers" (
	"id" text PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"account" text NOT NULL,
	"customer_id" text,
	"last_sign_in_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_browsers_of_account" UNIQUE("token_hash","account"),
	CONSTRAINT "known_browsers_owner" CHECK ("known_browsers"."account" = coalesce("known_browsers"."customer_id", 'owner'))
);
--> statement-breakpoint
CREATE TABLE "tries" (
	"key" text PRIMARY KEY NOT NULL,
	"times" timestamp with time zone[] NOT NULL,
	"in_row" integer NOT NULL,
	"last_tried_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "browser_id" text;--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "known_browsers_account" ON "known_browsers" USING btree ("account");--> statement-breakpoint
CREATE INDEX "known_browsers_customer" ON "known_browsers" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "known_browsers_last" ON "known_browsers" USING btree ("last_sign_in_at");--> statement-breakpoint
CREATE INDEX "tries_last" ON "tries" USING btree ("last_tried_at");--> statement-breakpoint
CREATE INDEX "sessions_browser" ON "sessions" USING btree ("browser_id");