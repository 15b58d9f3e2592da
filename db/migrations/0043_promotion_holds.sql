CREATE TABLE "promotion_holds" (
	"code" text NOT NULL,
	"checkout_id" text NOT NULL,
	"network_hash" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	CONSTRAINT "promotion_holds_code_checkout_id_pk" PRIMARY KEY("code","checkout_id"),
	CONSTRAINT "promotion_holds_network_hash_unique" UNIQUE("network_hash")
);
--> statement-breakpoint
CREATE INDEX "promotion_holds_ends" ON "promotion_holds" USING btree ("ends_at");