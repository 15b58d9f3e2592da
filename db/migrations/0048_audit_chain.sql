CREATE TABLE "audit_chain" (
	"trail" text PRIMARY KEY NOT NULL,
	"anchor_place" bigint NOT NULL,
	"anchor_hash" text NOT NULL,
	"last_place" bigint NOT NULL,
	"last_hash" text NOT NULL,
	CONSTRAINT "audit_chain_one" CHECK ("audit_chain"."trail" = 'audit')
);
--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "place" bigint;--> statement-breakpoint
ALTER TABLE "audit_trail" ADD COLUMN "hash" text;--> statement-breakpoint
CREATE INDEX "audit_trail_place" ON "audit_trail" USING btree ("place");
--> statement-breakpoint
-- The hash of a row after the one before it. `npm run doctor` works it out by an expression of its own (shop/audit/chain.ts).
CREATE FUNCTION "audit_hash"("previous" text, "it" "audit_trail") RETURNS text LANGUAGE sql STABLE AS $$
  select encode(sha256(convert_to(jsonb_build_array(
    previous, it.place, it.id, it.act, it.subject_id, it.before, it.after, it.request_id, (extract(epoch from it.at) * 1000000)::bigint
  )::text, 'UTF8')), 'hex')
$$;
--> statement-breakpoint
-- Give a row its place after the last one. The row of audit_chain is the lock: who seals at the same time waits for the other to commit.
CREATE FUNCTION "audit_seal"("row_id" text) RETURNS void LANGUAGE plpgsql AS $$
declare
  chain audit_chain;
  it audit_trail;
begin
  insert into audit_chain (trail, anchor_place, anchor_hash, last_place, last_hash)
    values ('audit', 0, '', 0, '') on conflict do nothing;
  select * into strict chain from audit_chain for update;
  select * into it from audit_trail where id = row_id;
  if not found then return; end if;
  it.place := chain.last_place + 1;
  it.hash := audit_hash(chain.last_hash, it);
  update audit_trail set place = it.place, hash = it.hash where id = row_id;
  update audit_chain set last_place = it.place, last_hash = it.hash;
end $$;
--> statement-breakpoint
CREATE FUNCTION "audit_written"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  update audit_trail set hash = '' where id = new.id;
  return null;
end $$;
--> statement-breakpoint
CREATE FUNCTION "audit_sealed"() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  perform audit_seal(new.id);
  return null;
end $$;
--> statement-breakpoint
DO $$
declare
  row_id text;
begin
  for row_id in select id from audit_trail order by at, id loop
    perform audit_seal(row_id);
  end loop;
end $$;
--> statement-breakpoint
-- Sealed as the transaction ends. In two steps, so that the chain is locked after everything that other triggers lock at that time:
-- then no transaction holds the chain and waits for another row.
CREATE CONSTRAINT TRIGGER "audit_trail_written" AFTER INSERT ON "audit_trail" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION "audit_written"();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER "audit_trail_sealed" AFTER UPDATE OF "hash" ON "audit_trail" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW."hash" = '') EXECUTE FUNCTION "audit_sealed"();
