CREATE TABLE "saved_replies" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"words" text NOT NULL,
	"saved_at" timestamp with time zone NOT NULL
);
