CREATE TABLE "ticket_answers" (
	"id" text PRIMARY KEY NOT NULL,
	"ticket_id" text NOT NULL,
	"words" text NOT NULL,
	"answered_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "search" text GENERATED ALWAYS AS (searchable("ticket_number" || ' ' || "customer_name" || ' ' || "customer_email" || ' ' || "subject")) STORED NOT NULL;--> statement-breakpoint
ALTER TABLE "ticket_answers" ADD CONSTRAINT "ticket_answers_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_answers_ticket" ON "ticket_answers" USING btree ("ticket_id","answered_at");--> statement-breakpoint
CREATE INDEX "tickets_created" ON "tickets" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "tickets_search" ON "tickets" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit=256);