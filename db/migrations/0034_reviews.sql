CREATE TABLE "reviews" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"order_number" text NOT NULL,
	"product_id" text NOT NULL,
	"state" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"stars" integer NOT NULL,
	"words" text NOT NULL,
	"name" text NOT NULL,
	"video_id" text,
	"video_take" integer,
	"written_at" timestamp with time zone NOT NULL,
	"decided_at" timestamp with time zone,
	"reason" text,
	"answer" text,
	"search" text GENERATED ALWAYS AS (searchable("order_number" || ' ' || "name" || ' ' || "words")) STORED NOT NULL,
	"turn" double precision GENERATED ALWAYS AS (case when "state" = 'waiting' then extract(epoch from "written_at" at time zone 'UTC') else 1e11 - extract(epoch from "written_at" at time zone 'UTC') end) STORED NOT NULL,
	CONSTRAINT "reviews_order_product" UNIQUE("order_id","product_id"),
	CONSTRAINT "reviews_stars" CHECK ("reviews"."stars" between 1 and 5)
);
--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reviews" ADD CONSTRAINT "reviews_video_id_videos_id_fk" FOREIGN KEY ("video_id") REFERENCES "public"."videos"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "reviews_shown" ON "reviews" USING btree ("product_id","written_at","id") WHERE "reviews"."state" = 'approved';--> statement-breakpoint
CREATE INDEX "reviews_turn" ON "reviews" USING btree ("turn","id");--> statement-breakpoint
CREATE INDEX "reviews_state" ON "reviews" USING btree ("state","turn","id");--> statement-breakpoint
CREATE INDEX "reviews_search" ON "reviews" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit=256);--> statement-breakpoint
CREATE INDEX "reviews_video" ON "reviews" USING btree ("video_id") WHERE "reviews"."video_id" is not null;