CREATE TABLE "file_store" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"shop_id" text NOT NULL,
	"sweep_stopped_at" timestamp with time zone,
	CONSTRAINT "file_store_only" CHECK ("file_store"."is_only")
);
--> statement-breakpoint
CREATE INDEX "uploads_original" ON "uploads" USING btree ("original_key");--> statement-breakpoint
CREATE INDEX "uploads_display" ON "uploads" USING btree ("display_key");--> statement-breakpoint
CREATE INDEX "uploads_thumbnail" ON "uploads" USING btree ("thumbnail_key");--> statement-breakpoint
CREATE INDEX "videos_video" ON "videos" USING btree ("video_key");--> statement-breakpoint
CREATE INDEX "videos_poster" ON "videos" USING btree ("poster_key");--> statement-breakpoint
CREATE INDEX "frames_qr_photo" ON "frames" USING btree ("qr_photo_key");
