CREATE TABLE "live_takes" (
	"video_id" text PRIMARY KEY NOT NULL,
	"frame_id" text NOT NULL,
	"take" integer NOT NULL,
	"style" text NOT NULL,
	"is_chosen" boolean NOT NULL,
	"made_by" text,
	"provenance" jsonb,
	"video_key" text NOT NULL,
	"poster_key" text,
	"clip_key" text,
	"film_key" text,
	"seconds" double precision,
	"size_bytes" integer,
	"rendered_at" timestamp with time zone,
	"kept_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "live_takes" ADD CONSTRAINT "live_takes_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "live_takes_frame" ON "live_takes" USING btree ("frame_id");
--> statement-breakpoint
-- Files of a take that stays live are not discarded when its video starts over.
CREATE OR REPLACE FUNCTION "video_files_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id)
    select key, old.frame_id from (
      select unnest(array[old.video_key, old.poster_key, old.clip_key, old.film_key])
      except select unnest(array[new.video_key, new.poster_key, new.clip_key, new.film_key])
      except select unnest(array[video_key, poster_key, clip_key, film_key]) from live_takes where video_id = new.id
    ) as gone (key) where key is not null on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "live_take_files_discarded"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  insert into discarded_files (key, frame_id)
    select key, old.frame_id from (
      select unnest(array[old.video_key, old.poster_key, old.clip_key, old.film_key])
      except select unnest(array[video_key, poster_key, clip_key, film_key]) from videos where id = old.video_id
    ) as gone (key) where key is not null on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER "live_take_files_discarded" AFTER DELETE ON "live_takes"
FOR EACH ROW EXECUTE FUNCTION "live_take_files_discarded"();
