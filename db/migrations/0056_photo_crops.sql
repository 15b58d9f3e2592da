ALTER TABLE "uploads" ADD COLUMN "quarter_turns" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "crop_area" jsonb;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "whole_key" text;--> statement-breakpoint
CREATE INDEX "uploads_whole" ON "uploads" USING btree ("whole_key") WHERE "uploads"."whole_key" is not null;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_quarter_turns" CHECK ("uploads"."quarter_turns" between 0 and 3);