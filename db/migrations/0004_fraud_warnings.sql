CREATE TABLE "fraud_warnings" (
	"id" text PRIMARY KEY NOT NULL,
	"order_id" text NOT NULL,
	"fraud_type" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "fraud_warnings" ADD CONSTRAINT "fraud_warnings_order_id_orders_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "fraud_warnings_order" ON "fraud_warnings" USING btree ("order_id");
