CREATE TABLE "day_sheet_wishes" (
	"id" text PRIMARY KEY NOT NULL,
	"is_mailed" boolean NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "mails_unsent" ON "mails" USING btree ("queued_at") WHERE "mails"."sent_at" is null and "mails"."content" is not null;