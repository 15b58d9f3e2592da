import { getTableColumns, Param, Placeholder, sql, type SQL } from 'drizzle-orm';
import { PgDatabase, PgDialect, PgSession, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './ports/database.ts';

interface Preparable<Result> {
  prepare(name: string): { execute(): Promise<Result> };
}
type Asked = Parameters<Db['_']['session']['prepareQuery']>;
/** A value that the caller passes at each execution, encoded as for this column. */
type NamedValue<Values> = (name: keyof Values & string, column?: PgColumn) => SQL;

/**
 * A statement whose SQL text is built only once. Use it for the few statements that run for every order or on many
 * pages: without it, building the text again takes more time than everything else that the server does for an order.
 * The statement cannot select columns of outer-joined tables. It runs on the database or in a transaction.
 */
export function prepared<Values extends object, Result>(
  build: (db: Db, value: NamedValue<Values>) => Preparable<Result>,
): (db: Db, values: Values) => Promise<Result> {
  let asked: Asked | undefined;
  return (db, values) => {
    asked ??= whatIsAsked((words) => build(words, named));
    return db._.session.prepareQuery(...asked).execute(values as Record<string, unknown>) as Promise<Result>;
  };
}

/**
 * Like `prepared`, for a query of the rows whose `column` has one of the given values. The SQL text is the same for any
 * number of values. Without values, no query runs.
 */
export function preparedAmong<Row>(
  column: PgColumn,
  build: (db: Db, isAmong: SQL) => Preparable<Row[]>,
): (db: Db, values: string[]) => Promise<Row[]> {
  const ask = prepared<{ values: string[] }, Row[]>((db, value) =>
    build(db, sql`${column} = any(${value('values')}::text[])`),
  );
  return async (db, values) => (values.length === 0 ? [] : ask(db, { values }));
}

/** Like `prepared`, for inserting complete rows. There is one SQL text for each number of rows. */
export function preparedRows<Table extends PgTable, Result>(
  table: Table,
  build: (db: Db, rows: Table['$inferInsert'][]) => Preparable<Result>,
): (db: Db, rows: Table['$inferSelect'][]) => Promise<Result> {
  const byCount = new Map<number, (db: Db, values: object) => Promise<Result>>();
  return (db, rows) => {
    const insert =
      byCount.get(rows.length) ??
      prepared((words) =>
        build(
          words,
          rows.map((_, at) => rowOf(table, `_${at}`)),
        ),
      );
    byCount.set(rows.length, insert);
    return insert(db, Object.assign({}, ...rows.map((row, at) => renamed(row, (name) => `${name}_${at}`))) as object);
  };
}

/** A complete row to insert. Each value is a placeholder with the name of its column and the suffix. */
export const rowOf = <Table extends PgTable>(table: Table, suffix = ''): Table['$inferInsert'] =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([name, column]) => [name, named(name + suffix, column)]),
  );

const named = (name: string, column?: PgColumn): SQL => sql`${sql.param(sql.placeholder(name), column)}`;

const renamed = (row: object, rename: (name: string) => string) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [rename(name), value as unknown]));

/** Returns the arguments that a query passes to `prepareQuery`. They are the same for every session. */
function whatIsAsked(build: (words: Db) => Preparable<unknown>): Asked {
  let asked: Asked | undefined;
  const dialect = new PgDialect();
  class Listening extends PgSession {
    override prepareQuery(...args: Asked): never {
      asked = args;
      return { setToken: () => undefined } as never;
    }
    override transaction(): never {
      throw new Error('a statement is prepared here, never run');
    }
  }
  build(new PgDatabase(dialect, new Listening(dialect), undefined)).prepare('');
  const [query, ...rest] = asked!;
  return [{ ...query, params: query.params.map(orNull) }, ...rest];
}

/** The encoder of a column does not accept null, so this wrapper passes null through. */
function orNull(param: unknown): unknown {
  if (!(param instanceof Param && param.value instanceof Placeholder)) return param;
  const { value, encoder } = param;
  return new Param(value, {
    mapToDriverValue: (given: unknown) => (given === null ? null : encoder.mapToDriverValue(given)),
  });
}
