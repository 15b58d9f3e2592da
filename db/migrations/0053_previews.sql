CREATE TABLE "previews" (
	"upload_id" text PRIMARY KEY NOT NULL,
	"frame_id" text NOT NULL,
	"wish" text NOT NULL,
	"style" text NOT NULL,
	"camera" text NOT NULL,
	"shown_style" text NOT NULL,
	"key" text,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "chosen_style" text;--> statement-breakpoint
ALTER TABLE "previews" ADD CONSTRAINT "previews_upload_id_uploads_id_fk" FOREIGN KEY ("upload_id") REFERENCES "public"."uploads"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "previews_key" ON "previews" USING btree ("key");--> statement-breakpoint
CREATE FUNCTION "preview_file_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id) values (old.key, old.frame_id) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "preview_file_discarded" AFTER DELETE ON "previews"
FOR EACH ROW WHEN (old.key is not null) EXECUTE FUNCTION "preview_file_discarded"();
