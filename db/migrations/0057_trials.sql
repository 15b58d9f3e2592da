CREATE TABLE "tried_films" (
	"id" text PRIMARY KEY NOT NULL,
	"tried_at" timestamp with time zone NOT NULL,
	"cart_id" text
);
--> statement-breakpoint
CREATE TABLE "trial_files" (
	"key" text PRIMARY KEY NOT NULL,
	"trial_id" text NOT NULL,
	"kind" text NOT NULL,
	"content_type" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "trial_keys" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"secret" text NOT NULL,
	CONSTRAINT "trial_keys_only" CHECK ("trial_keys"."is_only")
);
--> statement-breakpoint
CREATE TABLE "trial_slots" (
	"key" text NOT NULL,
	"slot" integer NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	CONSTRAINT "trial_slots_key_slot_pk" PRIMARY KEY("key","slot")
);
--> statement-breakpoint
CREATE TABLE "trials" (
	"id" text PRIMARY KEY NOT NULL,
	"browser_hash" text,
	"network_hash" text,
	"state" text NOT NULL,
	"progress" double precision DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"original_file_name" text NOT NULL,
	"file_size" integer NOT NULL,
	"sha256" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"claimed_at" timestamp with time zone,
	CONSTRAINT "trials_browser_hash_unique" UNIQUE("browser_hash")
);
--> statement-breakpoint
ALTER TABLE "trial_files" ADD CONSTRAINT "trial_files_trial_id_trials_id_fk" FOREIGN KEY ("trial_id") REFERENCES "public"."trials"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tried_films_at" ON "tried_films" USING btree ("tried_at");--> statement-breakpoint
CREATE INDEX "trial_files_trial" ON "trial_files" USING btree ("trial_id");--> statement-breakpoint
CREATE INDEX "trial_slots_taken" ON "trial_slots" USING btree ("taken_at");--> statement-breakpoint
CREATE INDEX "trials_line" ON "trials" USING btree ("created_at","id") WHERE "trials"."state" in ('waiting', 'seeing', 'animating');--> statement-breakpoint
CREATE INDEX "trials_end" ON "trials" USING btree ("ends_at");