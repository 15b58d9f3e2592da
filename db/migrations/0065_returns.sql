CREATE TABLE "return_frames" (
	"return_id" text NOT NULL,
	"frame_id" text NOT NULL,
	"is_taken" boolean NOT NULL,
	CONSTRAINT "return_frames_return_id_frame_id_pk" PRIMARY KEY("return_id","frame_id")
);
--> statement-breakpoint
CREATE TABLE "returns" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"state" text NOT NULL,
	"reason" text NOT NULL,
	"words" text NOT NULL,
	"photo_key" text,
	"photo_bytes" integer,
	"answer" text,
	"answered_at" timestamp with time zone,
	"label_key" text,
	"label_bytes" integer,
	"label_link" text,
	"received_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"closing_words" text,
	"refund_id" text,
	"requested_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "return_frames" ADD CONSTRAINT "return_frames_return_id_returns_id_fk" FOREIGN KEY ("return_id") REFERENCES "public"."returns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "return_frames" ADD CONSTRAINT "return_frames_frame_id_frames_id_fk" FOREIGN KEY ("frame_id") REFERENCES "public"."frames"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "returns" ADD CONSTRAINT "returns_refund_id_refunds_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."refunds"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "return_frames_taken" ON "return_frames" USING btree ("frame_id") WHERE "return_frames"."is_taken";--> statement-breakpoint
CREATE INDEX "returns_order" ON "returns" USING btree ("order_id","requested_at");--> statement-breakpoint
CREATE INDEX "returns_waiting" ON "returns" USING btree ("order_id") WHERE "returns"."state" in ('requested', 'received');--> statement-breakpoint
CREATE INDEX "returns_files" ON "returns" USING btree ("updated_at") WHERE "returns"."photo_key" is not null or "returns"."label_key" is not null;--> statement-breakpoint
CREATE INDEX "returns_photo" ON "returns" USING btree ("photo_key");--> statement-breakpoint
CREATE INDEX "returns_label" ON "returns" USING btree ("label_key");--> statement-breakpoint
CREATE INDEX "returns_refund" ON "returns" USING btree ("refund_id");