CREATE TABLE "backups" (
	"id" text PRIMARY KEY NOT NULL,
	"taken_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone NOT NULL,
	"files" integer NOT NULL,
	"size_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "backups_taken" ON "backups" USING btree ("taken_at");