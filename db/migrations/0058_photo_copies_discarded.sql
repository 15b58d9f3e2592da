ALTER TABLE "discarded_files" ADD COLUMN "upload_id" text;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "preview_file_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id, upload_id) values (old.key, old.frame_id, old.upload_id) on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
-- The copies that a photo had before it was turned or cropped.
CREATE FUNCTION "photo_copies_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id, upload_id)
    select key, old.frame_id, old.id from (
      select unnest(array[old.display_key, old.thumbnail_key, old.whole_key])
      except select unnest(array[new.display_key, new.thumbnail_key, new.whole_key])
    ) as gone (key) where key is not null on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "photo_copies_discarded" AFTER UPDATE OF "display_key", "thumbnail_key", "whole_key" ON "uploads"
FOR EACH ROW EXECUTE FUNCTION "photo_copies_discarded"();
