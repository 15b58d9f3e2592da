ALTER TABLE "uploads" ADD COLUMN "seen" jsonb;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "is_chosen" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "provenance" jsonb;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "clip_key" text;--> statement-breakpoint
CREATE INDEX "videos_clip" ON "videos" USING btree ("clip_key");