CREATE TABLE "frame_stock" (
	"product_id" text PRIMARY KEY NOT NULL,
	"frames_left" integer
);
--> statement-breakpoint
ALTER TABLE "carts" ADD COLUMN "frames_held" integer DEFAULT 0 NOT NULL;