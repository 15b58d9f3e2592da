CREATE TABLE "discarded_files" (
	"key" text PRIMARY KEY NOT NULL,
	"frame_id" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX "discarded_files_frame" ON "discarded_files" USING btree ("frame_id");
--> statement-breakpoint
-- The update that gives a row other files, or none in their place, writes down those it had.
CREATE FUNCTION "video_files_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id)
    select key, old.frame_id from (
      select unnest(array[old.video_key, old.poster_key, old.clip_key, old.film_key])
      except select unnest(array[new.video_key, new.poster_key, new.clip_key, new.film_key])
    ) as gone (key) where key is not null on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "qr_photo_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id) values (old.qr_photo_key, old.id) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "video_files_discarded" AFTER UPDATE OF "video_key", "poster_key", "clip_key", "film_key" ON "videos"
FOR EACH ROW EXECUTE FUNCTION "video_files_discarded"();
--> statement-breakpoint
CREATE TRIGGER "qr_photo_discarded" AFTER UPDATE OF "qr_photo_key" ON "frames" FOR EACH ROW
WHEN (old.qr_photo_key is not null and old.qr_photo_key is distinct from new.qr_photo_key) EXECUTE FUNCTION "qr_photo_discarded"();
