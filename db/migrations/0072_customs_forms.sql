ALTER TABLE "labels" ADD COLUMN "customs" jsonb;--> statement-breakpoint
ALTER TABLE "labels" ADD COLUMN "customs_pdf_key" text;--> statement-breakpoint
CREATE INDEX "labels_customs_pdf" ON "labels" USING btree ("customs_pdf_key");--> statement-breakpoint
CREATE INDEX "labels_customs" ON "labels" USING btree ("created_at") WHERE "labels"."customs" is not null;