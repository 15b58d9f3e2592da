CREATE TABLE "collect_links" (
	"id" text PRIMARY KEY NOT NULL,
	"frame_id" text NOT NULL,
	"name" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"paused_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contributors" (
	"id" text PRIMARY KEY NOT NULL,
	"link_id" text NOT NULL,
	"first_name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "contributor_id" text;--> statement-breakpoint
ALTER TABLE "uploads" ADD COLUMN "waiting_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tokens" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "collect_links" ADD CONSTRAINT "collect_links_frame_id_frames_id_fk" FOREIGN KEY ("frame_id") REFERENCES "public"."frames"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contributors" ADD CONSTRAINT "contributors_link_id_collect_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."collect_links"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "collect_links_frame" ON "collect_links" USING btree ("frame_id","created_at");--> statement-breakpoint
CREATE INDEX "collect_links_end" ON "collect_links" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "contributors_link" ON "contributors" USING btree ("link_id","created_at");--> statement-breakpoint
CREATE INDEX "uploads_contributor" ON "uploads" USING btree ("contributor_id") WHERE "uploads"."contributor_id" is not null;--> statement-breakpoint
CREATE INDEX "uploads_waiting" ON "uploads" USING btree ("frame_id") WHERE "uploads"."waiting_since" is not null;