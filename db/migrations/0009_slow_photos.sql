CREATE TABLE "slow_photos" (
	"id" text PRIMARY KEY NOT NULL,
	"sender" text NOT NULL,
	"refused_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "slow_photos_sender" ON "slow_photos" USING btree ("sender","refused_at");
--> statement-breakpoint
CREATE INDEX "slow_photos_refused" ON "slow_photos" USING btree ("refused_at");
