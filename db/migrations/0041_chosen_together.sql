ALTER TABLE "arrivals" ADD COLUMN "selection" text;--> statement-breakpoint
ALTER TABLE "arrivals" ADD COLUMN "selection_place" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "selection" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "selection_place" integer;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "selection_at" timestamp with time zone;