ALTER TABLE "ticket_files" ALTER COLUMN "message_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD COLUMN "answer_id" text;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD COLUMN "added_at" timestamp with time zone NOT NULL;--> statement-breakpoint
ALTER TABLE "ticket_files" ADD CONSTRAINT "ticket_files_answer_id_ticket_answers_id_fk" FOREIGN KEY ("answer_id") REFERENCES "public"."ticket_answers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "ticket_files_answer" ON "ticket_files" USING btree ("answer_id","position");--> statement-breakpoint
CREATE INDEX "ticket_files_unsent" ON "ticket_files" USING btree ("added_at") WHERE "ticket_files"."message_id" is null and "ticket_files"."answer_id" is null;