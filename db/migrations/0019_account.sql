CREATE TABLE "email_changes" (
	"customer_id" text PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"email" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "email_changes_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"is_synced" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "erasures" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text,
	"reason" text NOT NULL,
	"frames" jsonb NOT NULL,
	"photos" integer NOT NULL,
	"videos" integer NOT NULL,
	"size_bytes" bigint NOT NULL,
	"keys" jsonb,
	"receipt" jsonb,
	"asked_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "proved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "kept_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "erasure_warned_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "erased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "reminders_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "passkeys_customer" ON "passkeys" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "erasures_customer" ON "erasures" USING btree ("customer_id","asked_at");--> statement-breakpoint
CREATE INDEX "frames_to_erase" ON "frames" USING btree ("videos_ready_at","id") WHERE "frames"."videos_ready_at" is not null and "frames"."erased_at" is null;