ALTER TABLE "videos" ADD COLUMN "animator" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "job_key" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "job_id" text;
