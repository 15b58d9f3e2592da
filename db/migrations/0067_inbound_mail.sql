CREATE TABLE "inbound_mails" (
	"id" text PRIMARY KEY NOT NULL,
	"outcome" text NOT NULL,
	"read_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ticket_files" (
	"id" text PRIMARY KEY NOT NULL,
	"message_id" text NOT NULL,
	"position" integer NOT NULL,
	"name" text NOT NULL,
	"key" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" integer NOT NULL,
	CONSTRAINT "ticket_files_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "ticket_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"ticket_id" text NOT NULL,
	"from_name" text NOT NULL,
	"from_email" text NOT NULL,
	"words" text NOT NULL,
	"quoted" text NOT NULL,
	"left_out" jsonb NOT NULL,
	"problem" text,
	"received_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "related_ticket_id" text;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_message_id_ticket_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."ticket_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ticket_messages" ADD CONSTRAINT "ticket_messages_ticket_id_tickets_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."tickets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "inbound_mails_read" ON "inbound_mails" USING btree ("read_at");--> statement-breakpoint
CREATE INDEX "ticket_files_message" ON "ticket_files" USING btree ("message_id","position");--> statement-breakpoint
CREATE INDEX "ticket_messages_ticket" ON "ticket_messages" USING btree ("ticket_id","received_at");--> statement-breakpoint
CREATE INDEX "ticket_messages_sender" ON "ticket_messages" USING btree ("from_email","received_at");--> statement-breakpoint
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_related_ticket_id_tickets_id_fk" FOREIGN KEY ("related_ticket_id") REFERENCES "public"."tickets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tickets_related" ON "tickets" USING btree ("related_ticket_id");