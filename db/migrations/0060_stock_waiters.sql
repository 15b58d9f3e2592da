CREATE TABLE "stock_waiters" (
	"email" text PRIMARY KEY NOT NULL,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "stock_waiters_asked" ON "stock_waiters" USING btree ("asked_at");