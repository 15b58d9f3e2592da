import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Assume } from 'drizzle-orm';

/** What both drivers (PGlite, node-postgres) answer to a raw statement. */
export interface RowsResult extends PgQueryResultHKT {
  type: RowsOf<Assume<this['row'], Record<string, unknown>>>;
}
interface RowsOf<Row> {
  rows: Row[];
}
/** The database, or a transaction on it: verbs take either and pass on what they were given. */
export type Db = PgDatabase<RowsResult>;
