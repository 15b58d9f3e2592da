-- Removes checks that allow less than this release stores: second factors and known browsers of staff, and payments of $0,
-- for orders that gift cards pay. Earlier releases store and read only rows that the old checks allowed.
-- No release since 2026-11-29 uses it.
ALTER TABLE "known_browsers" DROP CONSTRAINT "known_browsers_owner";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_positive";--> statement-breakpoint
ALTER TABLE "second_factors" DROP CONSTRAINT "second_factors_one";--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_positive" CHECK ("payments"."amount_cents" >= 0);
