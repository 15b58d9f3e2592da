CREATE INDEX "payments_abandoned" ON "payments" USING btree ("created_at") WHERE "payments"."state" = 'cancelled' and "payments"."email" is not null;
--> statement-breakpoint
-- Text as it is sorted: in lower case, without accents. In the locale C, `lower` knows the 26 letters alone; so here they
-- are named, and every database answers alike. Nearly all text is ASCII, and needs none of it.
CREATE FUNCTION "folded"("words" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select case when octet_length(words) = char_length(words) then lower(words collate "C") else replace(translate(lower(regexp_replace(normalize(words, NFKD), '[\u0300-\u036f]', '', 'g') collate "C"),
  'ÆÐØÞøĐđĦħıŁłŊŒŦŧƏΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯѠѢѤѦѨѪѬѮѰѲѴѸѺѼѾҀҊҌҎҐҒҔҖҘҚҜҞҠҢҤҦҨҪҬҮҰҲҴҶҸҺҼҾӀӃӅӇӉӋӍӔӘӠӨӶӺӼӾԀԂԄԆԈԊԌԎԐԒԔԖԘԚԜԞԠԢԤԦԨԪԬԮԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖẞ',
  'æðoþoddhhillŋœttəαβγδεζηθικλμνξοπρστυφχψωσђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяѡѣѥѧѩѫѭѯѱѳѵѹѻѽѿҁҋҍҏґғҕҗҙқҝҟҡңҥҧҩҫҭүұҳҵҷҹһҽҿӏӄӆӈӊӌӎӕәӡөӷӻӽӿԁԃԅԇԉԋԍԏԑԓԕԗԙԛԝԟԡԣԥԧԩԫԭԯաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆß'), 'ß', 'ss') end $$;
--> statement-breakpoint
-- Text as it is searched: folded, and each byte of other letters than the 26 written in upper case (и is XDCAXCHA), because
-- in the locale C trigrams are made of letters and digits of ASCII alone. The text's own digits step aside meanwhile.
CREATE OR REPLACE FUNCTION "searchable"("words" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select case when octet_length(words) = char_length(words) then translate(lower(words collate "C"), '\', 'X') else translate(
  encode(convert_to(translate(public.folded(words), '0123456789', E'\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f'), 'UTF8'), 'escape'),
  E'\\01234567\x01\x02\x03\x04\x05\x06\x07\x08\x0e\x0f', 'XABCDEFGH0123456789') end $$;
--> statement-breakpoint
-- What is searched for, anywhere in it, as a pattern of `like`.
CREATE FUNCTION "search_pattern"("words" text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
AS $$ select '%' || regexp_replace(public.searchable(words), '([%_])', '\\\1', 'g') || '%' $$;
--> statement-breakpoint
ALTER TABLE "orders"
	DROP COLUMN "search",
	DROP COLUMN "sort_name",
	ADD COLUMN "search" text GENERATED ALWAYS AS (searchable("order_number" || ' ' || "first_name" || ' ' || "last_name" || ' ' || "email" || ' ' || "stripe_payment_intent_id")) STORED NOT NULL,
	ADD COLUMN "sort_name" text GENERATED ALWAYS AS (folded("first_name" || ' ' || "last_name")) STORED NOT NULL;
--> statement-breakpoint
CREATE INDEX "orders_search" ON "orders" USING gin ("search" gin_trgm_ops) WITH (gin_pending_list_limit = 256);
--> statement-breakpoint
CREATE INDEX "orders_sort_name" ON "orders" USING btree ("sort_name", "created_at", "id");
