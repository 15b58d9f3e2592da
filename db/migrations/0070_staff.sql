CREATE TABLE "staff_passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" jsonb NOT NULL,
	"is_synced" boolean NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	"staff_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "staff" (
	"id" text PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"name" text NOT NULL,
	"role" text NOT NULL,
	"state" text NOT NULL,
	"password_hash" text,
	"invited_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	CONSTRAINT "staff_email_lower" CHECK ("staff"."email" = lower("staff"."email")),
	CONSTRAINT "staff_removed" CHECK (("staff"."state" = 'removed') = ("staff"."removed_at" is not null)),
	CONSTRAINT "staff_accepted" CHECK ("staff"."state" <> 'active' or "staff"."accepted_at" is not null),
	CONSTRAINT "staff_password" CHECK ("staff"."state" <> 'removed' or "staff"."password_hash" is null)
);
--> statement-breakpoint
ALTER TABLE "known_browsers" DROP CONSTRAINT "known_browsers_owner";--> statement-breakpoint
ALTER TABLE "second_factors" DROP CONSTRAINT "second_factors_one";--> statement-breakpoint
ALTER TABLE "known_browsers" ADD COLUMN "staff_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "staff_id" text;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "ended_because" text;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "person_id" text;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "person_name" text;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "person_role" text;--> statement-breakpoint
ALTER TABLE "staff_passkeys" ADD CONSTRAINT "staff_passkeys_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_passkeys_member" ON "staff_passkeys" USING btree ("staff_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_email" ON "staff" USING btree ("email") WHERE "staff"."state" <> 'removed';--> statement-breakpoint
CREATE INDEX "staff_invited" ON "staff" USING btree ("invited_at","id");--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_staff_id_staff_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."staff"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_staff" ON "sessions" USING btree ("staff_id");--> statement-breakpoint
CREATE INDEX "audit_trail_person" ON "audit_trail" USING btree ("person_id","at","id");--> statement-breakpoint
ALTER TABLE "known_browsers" ADD CONSTRAINT "known_browsers_whose" CHECK ("known_browsers"."account" = coalesce("known_browsers"."customer_id", "known_browsers"."staff_id", 'owner'));--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_of_staff" CHECK (("sessions"."kind" = 'staff') = ("sessions"."staff_id" is not null));--> statement-breakpoint
-- Rows with a person hash it, too. Rows without one keep the hash of earlier releases, so the chain of old rows stays valid.
CREATE OR REPLACE FUNCTION "audit_hash"("previous" text, "it" "audit_trail") RETURNS text LANGUAGE sql STABLE AS $$
  select encode(sha256(convert_to((jsonb_build_array(
    previous, it.place, it.id, it.act, it.subject_id, it.before, it.after, it.request_id, (extract(epoch from it.at) * 1000000)::bigint
  ) || case when num_nonnulls(it.person_id, it.person_name, it.person_role) = 0 then '[]'::jsonb
    else jsonb_build_array(it.person_id, it.person_name, it.person_role) end)::text, 'UTF8')), 'hex')
$$;
