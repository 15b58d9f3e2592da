ALTER TABLE "arrivals" ADD COLUMN "guest_id" text;--> statement-breakpoint
CREATE INDEX "arrivals_guest" ON "arrivals" USING btree ("guest_id") WHERE "arrivals"."guest_id" is not null;