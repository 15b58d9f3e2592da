ALTER TABLE "contributors" ADD COLUMN "network_hash" text;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "withdraws_videos" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "contributors_created" ON "contributors" USING btree ("created_at");