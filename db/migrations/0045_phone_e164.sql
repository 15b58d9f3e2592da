ALTER TABLE "orders" ADD COLUMN "phone_e164" text;--> statement-breakpoint
ALTER TABLE "tickets" ADD COLUMN "phone_e164" text;--> statement-breakpoint
-- The release before erases a phone number without knowing of this column.
CREATE FUNCTION "erase_phone_e164"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."phone_e164" := NULL;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "orders_phone_erased" BEFORE UPDATE OF "phone" ON "orders" FOR EACH ROW WHEN (NEW."phone" IS NULL) EXECUTE FUNCTION "erase_phone_e164"();--> statement-breakpoint
CREATE TRIGGER "tickets_phone_erased" BEFORE UPDATE OF "phone" ON "tickets" FOR EACH ROW WHEN (NEW."phone" IS NULL) EXECUTE FUNCTION "erase_phone_e164"();
