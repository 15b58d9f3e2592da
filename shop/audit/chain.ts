import { sql, type SQL } from 'drizzle-orm';
import type { Db } from '../ports/database.ts';
import { auditChain, auditTrail } from './audit.sql.ts';

/** A break of the chain: the kind of problem and the row. */
export interface AuditChainBreak {
  what: 'changed' | 'missing' | 'not-sealed' | 'end';
  /** The place of the row, or of the first missing row. */
  place: number | null;
  act: string | null;
  id: string | null;
}
/** The limit of breaks that are reported. */
const mostNamed = 10;

/**
 * The hash that a row must have after the previous hash. It repeats the formula of the trigger. It does not call the
 * function of the trigger, so that the check does not depend on that function. A row without a person has the hash of
 * the release before people were recorded.
 */
const computeNextHash = (previous: SQL): SQL<string> => sql`encode(sha256(convert_to((jsonb_build_array(
  ${previous}, place, id, act, subject_id, before, after, request_id, (extract(epoch from at) * 1000000)::bigint
) || case when num_nonnulls(person_id, person_name, person_role) = 0 then '[]'::jsonb
  else jsonb_build_array(person_id, person_name, person_role) end)::text, 'UTF8')), 'hex')`;

/** Check the whole chain. Returns the number of entries, the stored last hash and at most `mostNamed` breaks. */
export async function checkAuditChain(db: Db): Promise<{ rows: number; lastHash: string; breaks: AuditChainBreak[] }> {
  return db.transaction(
    async (tx) => {
      const [chain] = await tx.select().from(auditChain);
      const { rows: counts } = await tx.execute<{
        rows: string;
        unsealed: string;
        last: string | null;
        hash: string | null;
      }>(sql`
        select count(*) as rows, count(*) filter (where place is null) as unsealed, max(place) as last,
          (select hash from audit_trail order by place desc nulls last limit 1) as hash
        from audit_trail`);
      const { rows: found, unsealed, last, hash } = counts[0]!;
      const chainEnd = chain ?? emptyChainEnd;
      const breaks = await findChainBreaks(tx, chainEnd);
      if (Number(unsealed) > 0) breaks.push(...(await findUnsealedActs(tx)));
      const lastPlaceInTable = Number(last ?? chainEnd.anchorPlace);
      if (lastPlaceInTable < chainEnd.lastPlace)
        breaks.push({ what: 'missing', place: lastPlaceInTable + 1, act: null, id: null });
      // The last entry matches the entry before it, but not the stored end of the chain: one of them was changed.
      else if (lastPlaceInTable > chainEnd.lastPlace || (last !== null && hash !== chainEnd.lastHash))
        breaks.push({ what: 'end', place: lastPlaceInTable, act: null, id: null });
      return { rows: Number(found), lastHash: chain?.lastHash ?? '', breaks: breaks.slice(0, mostNamed) };
    },
    // All queries must read the same snapshot, because new entries are inserted at the same time.
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}
const emptyChainEnd = { anchorPlace: 0, anchorHash: '', lastPlace: 0, lastHash: '' };

async function findChainBreaks(tx: Db, { anchorPlace, anchorHash }: typeof emptyChainEnd): Promise<AuditChainBreak[]> {
  const { rows } = await tx.execute<{ what: AuditChainBreak['what']; place: string; act: string; id: string }>(sql`
    with chain as (
      select *,
        coalesce(lag(place) over sequence, ${anchorPlace}::bigint) as place_before,
        coalesce(lag(hash) over sequence, ${anchorHash}::text) as hash_before
      from audit_trail
      where place is not null
      window sequence as (order by place, id)
    )
    select case when place <> place_before + 1 then 'missing' else 'changed' end as what,
      case when place <> place_before + 1 then place_before + 1 else place end as place,
      case when place <> place_before + 1 then null else act end as act,
      case when place <> place_before + 1 then null else id end as id
    from chain
    where place <> place_before + 1
      or hash is distinct from ${computeNextHash(sql`hash_before`)}
    order by chain.place limit ${mostNamed}`);
  return rows.map(({ what, place, act, id }) => ({ what, place: Number(place), act, id }));
}

const findUnsealedActs = async (tx: Db): Promise<AuditChainBreak[]> => {
  const { id, act } = auditTrail;
  const rows = await tx
    .select({ id, act })
    .from(auditTrail)
    .where(sql`${auditTrail.place} is null`)
    .limit(mostNamed);
  return rows.map((row) => ({ what: 'not-sealed', place: null, ...row }));
};
