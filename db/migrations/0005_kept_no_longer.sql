-- Orders whose last two frames were closed at the same moment: each saw the other open, and nobody moved them on.
with moved as (
  update "orders" set "status" = 'processing', "updated_at" = now()
  where "status" = 'pending'
    and exists (select from "frames" f where f."order_id" = "orders"."id" and f."finalized_at" is not null)
    and not exists (
      select from "frames" f where f."order_id" = "orders"."id" and f."finalized_at" is null and f."is_active"
    )
    -- What the owner has set stays.
    and not exists (select from "order_events" e where e."order_id" = "orders"."id" and e."kind" = 'status')
  returning "id"
)
insert into "order_events" ("id", "order_id", "kind", "words", "at")
select gen_random_uuid()::text, "id", 'status', 'All photos are in. Your videos are being made.', now() from moved;
--> statement-breakpoint
CREATE INDEX "sign_in_failures_last" ON "sign_in_failures" USING btree ("last_failed_at");--> statement-breakpoint
CREATE INDEX "payment_events_received" ON "payment_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "rate_counters_end" ON "rate_counters" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "mails_worded" ON "mails" USING btree ("queued_at") WHERE "mails"."content" is not null;
