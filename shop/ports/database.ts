import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Assume } from 'drizzle-orm';

/** What both drivers (PGlite, node-postgres) return for a raw statement. */
export interface RowsResult extends PgQueryResultHKT {
  type: RowsOf<Assume<this['row'], Record<string, unknown>>>;
}
interface RowsOf<Row> {
  rows: Row[];
}
/** The database, or a transaction on it. Functions accept either one and pass it on to the functions they call. */
export type Db = PgDatabase<RowsResult>;
