CREATE TABLE "cart_reminder_stops" (
	"email_hash" text PRIMARY KEY NOT NULL,
	"stopped_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "cart_reminder_settings" (
	"id" text PRIMARY KEY NOT NULL,
	"is_on" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "cart_reminders" (
	"id" text PRIMARY KEY NOT NULL,
	"cart_id" text NOT NULL,
	"email_hash" text,
	"left_at" timestamp with time zone NOT NULL,
	"first_sent_at" timestamp with time zone NOT NULL,
	"second_sent_at" timestamp with time zone,
	"opened_at" timestamp with time zone,
	"bought_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "cart_reminders" ADD CONSTRAINT "cart_reminders_cart_id_carts_id_fk" FOREIGN KEY ("cart_id") REFERENCES "public"."carts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "cart_reminder_stops_end" ON "cart_reminder_stops" USING btree ("ends_at") WHERE "cart_reminder_stops"."ends_at" is not null;--> statement-breakpoint
CREATE INDEX "cart_reminders_email" ON "cart_reminders" USING btree ("email_hash","first_sent_at");--> statement-breakpoint
CREATE INDEX "cart_reminders_sent" ON "cart_reminders" USING btree ("first_sent_at");--> statement-breakpoint
CREATE INDEX "cart_reminders_cart" ON "cart_reminders" USING btree ("cart_id");--> statement-breakpoint
CREATE INDEX "carts_detailed" ON "carts" USING btree ("created_at") WHERE "carts"."details" is not null;