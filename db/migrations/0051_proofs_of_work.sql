CREATE TABLE "proof_of_work_keys" (
	"is_only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"secret" text NOT NULL,
	CONSTRAINT "proof_of_work_keys_one" CHECK ("proof_of_work_keys"."is_only")
);
--> statement-breakpoint
CREATE TABLE "proofs_of_work" (
	"nonce" text PRIMARY KEY NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "proofs_of_work_end" ON "proofs_of_work" USING btree ("ends_at");