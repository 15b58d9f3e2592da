CREATE TABLE "animation_months" (
	"month" text PRIMARY KEY NOT NULL,
	"spent_cents" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "animation_orders" (
	"key" text PRIMARY KEY NOT NULL,
	"video_id" text NOT NULL,
	"order_id" text NOT NULL,
	"animator" text NOT NULL,
	"price_cents" integer NOT NULL,
	"month" text NOT NULL,
	"ordered_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "stand_in" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "film_key" text;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "started_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "videos" ADD COLUMN "failed_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "animation_orders_video" ON "animation_orders" USING btree ("video_id");--> statement-breakpoint
CREATE INDEX "animation_orders_order" ON "animation_orders" USING btree ("order_id");--> statement-breakpoint
CREATE INDEX "videos_film" ON "videos" USING btree ("film_key");