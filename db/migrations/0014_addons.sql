CREATE TABLE "addons" (
	"id" text PRIMARY KEY NOT NULL,
	"customer_id" text NOT NULL,
	"frame_id" text NOT NULL,
	"packages" integer NOT NULL,
	"lines" jsonb NOT NULL,
	"subtotal_cents" integer NOT NULL,
	"tax_cents" integer NOT NULL,
	"tax_rate" text,
	"tax_jurisdiction" text,
	"tax_calculation_id" text,
	"total_cents" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "addons_packages" CHECK ("addons"."packages" > 0),
	CONSTRAINT "addons_total" CHECK ("addons"."total_cents" = "addons"."subtotal_cents" + "addons"."tax_cents")
);
--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "later_photos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "reopened_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "sealed_photos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "frames" ADD COLUMN "closed_photos" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "orders" ADD COLUMN "frame_id" text;--> statement-breakpoint
ALTER TABLE "addons" ADD CONSTRAINT "addons_frame_id_frames_id_fk" FOREIGN KEY ("frame_id") REFERENCES "public"."frames"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "addons_frame" ON "addons" USING btree ("frame_id","customer_id");