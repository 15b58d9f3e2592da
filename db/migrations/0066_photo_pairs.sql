ALTER TABLE "uploads" ADD COLUMN "shown_with_id" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "is_shown_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "second_upload_id" text;--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_second_upload_id_uploads_id_fk" FOREIGN KEY ("second_upload_id") REFERENCES "public"."uploads"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "uploads_shown_with" ON "uploads" USING btree ("shown_with_id");--> statement-breakpoint
ALTER TABLE "videos" ADD CONSTRAINT "videos_second_upload_id_unique" UNIQUE("second_upload_id");