CREATE INDEX "mails_to" ON "mails" USING btree ("to");--> statement-breakpoint
CREATE INDEX "mails_named" ON "mails" USING btree (split_part("event", ':', 2));--> statement-breakpoint
CREATE INDEX "mails_about" ON "mails" USING btree (("content" ->> 'customerEmail')) WHERE "mails"."content" ->> 'customerEmail' is not null;