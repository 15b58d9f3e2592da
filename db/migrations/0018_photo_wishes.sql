ALTER TABLE "customers" ADD COLUMN "reupload_credits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "position" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "moves" jsonb;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_credits" CHECK ("customers"."reupload_credits" >= 0);