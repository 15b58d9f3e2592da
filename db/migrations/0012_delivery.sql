CREATE TABLE "wishes" (
	"id" text PRIMARY KEY NOT NULL,
	"video_id" text NOT NULL,
	"frame_id" text NOT NULL,
	"take" integer NOT NULL,
	"style" text NOT NULL,
	"why" text NOT NULL,
	"asked_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wishes_take" UNIQUE("video_id","take")
);
--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "proof_round" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "proof_ends_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "caption" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "kept_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "wishes" ADD CONSTRAINT "wishes_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "wishes_frame" ON "wishes" USING btree ("frame_id");--> statement-breakpoint
CREATE INDEX "frames_listed" ON "frames" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "frames_to_connect" ON "frames" USING btree ("created_at","id") WHERE "frames"."connection_status" = 'pending';--> statement-breakpoint
CREATE INDEX "frames_to_fill" ON "frames" USING btree ("created_at","id") WHERE "frames"."videos_ready_at" is not null and "frames"."delivered_at" is null;--> statement-breakpoint
CREATE INDEX "frames_filled" ON "frames" USING btree ("created_at","id") WHERE "frames"."delivered_at" is not null;--> statement-breakpoint
CREATE INDEX "frames_proof_end" ON "frames" USING btree ("proof_ends_at") WHERE "frames"."proof_ends_at" is not null;