CREATE TABLE "arrival_pieces" (
	"arrival_id" text NOT NULL,
	"start" integer NOT NULL,
	"key" text NOT NULL,
	CONSTRAINT "arrival_pieces_arrival_id_start_pk" PRIMARY KEY("arrival_id","start")
);
--> statement-breakpoint
CREATE TABLE "arrivals" (
	"id" text PRIMARY KEY NOT NULL,
	"frame_id" text NOT NULL,
	"sender" text NOT NULL,
	"photo_key" text NOT NULL,
	"name" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"arrived_bytes" integer DEFAULT 0 NOT NULL,
	"upload_id" text,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "arrivals_length" CHECK ("arrivals"."arrived_bytes" between 0 and "arrivals"."size_bytes")
);
--> statement-breakpoint
ALTER TABLE "arrival_pieces" ADD CONSTRAINT "arrival_pieces_arrival_id_arrivals_id_fk" FOREIGN KEY ("arrival_id") REFERENCES "public"."arrivals"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "arrivals" ADD CONSTRAINT "arrivals_frame_id_frames_id_fk" FOREIGN KEY ("frame_id") REFERENCES "public"."frames"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "arrival_pieces_key" ON "arrival_pieces" USING btree ("key");--> statement-breakpoint
CREATE INDEX "arrivals_frame" ON "arrivals" USING btree ("frame_id");--> statement-breakpoint
CREATE INDEX "arrivals_last" ON "arrivals" USING btree ("last_at");