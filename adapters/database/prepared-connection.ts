import pg from 'pg';

/** Names by statement, the same on every connection. */
const names = new Map<string, string>();
/** Lists of every length make ever new statements; the server keeps each for as long as the connection lives. */
const mostNames = 400;

/**
 * A connection on which the server plans a statement once and knows it by name from then on: planning some of ours takes
 * four times as long as running them.
 */
export class PreparedConnection extends pg.Client {
  override query = ((query: unknown, ...rest: unknown[]) =>
    super.query(named(query, rest[0]) as never, ...(rest as []))) as pg.Client['query'];
}

function named(query: unknown, values: unknown): unknown {
  if (!isPlainQuery(query) || !Array.isArray(values) || values.length === 0) return query;
  const known = names.get(query.text);
  if (!known && names.size >= mostNames) return query;
  const name = known ?? `statement_${names.size}`;
  names.set(query.text, name);
  return { ...query, name };
}

function isPlainQuery(query: unknown): query is pg.QueryConfig {
  return typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
}
