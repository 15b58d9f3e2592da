ALTER TABLE "uploads" ADD COLUMN "perceptual_hash" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "kept_alike" text;