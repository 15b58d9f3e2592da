import { types, type PGlite, type QueryOptions } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { migrationsFolder } from '#server/project-folder.ts';
import { openInMemory } from '#test/database.ts';
import { serveEmbedded } from './embedded.ts';
import { prepareStatements } from './prepared-pglite.ts';

let lite: PGlite;
/** PGlite's original query, on the same database. */
let plain: PGlite['query'];

beforeEach(async () => {
  lite = await openInMemory();
  onTestFinished(() => lite.close());
  plain = lite.query.bind(lite);
  prepareStatements(lite);
  await lite.exec(`
    create table things (id text primary key, n int, big int8, ok bool, data jsonb, at timestamptz, day date,
      bytes bytea, words text[], numbers int[], price numeric, uid uuid);
    create table parts (id text primary key, thing text not null references things);
    insert into things (id, n) values ('one', 1), ('two', 2)`);
});

async function prepared() {
  const { rows } = await plain<{ statement: string; runs: number }>(
    'select statement, (generic_plans + custom_plans)::int as runs from pg_prepared_statements order by name',
  );
  return rows;
}

const asText = (text: string) => text;
const options: QueryOptions[] = [
  {},
  { rowMode: 'array' },
  { rowMode: 'object', parsers: { [types.TIMESTAMPTZ]: asText, [types.DATE]: asText, 1231: asText } },
  { rowMode: 'array', parsers: { [types.JSONB]: asText }, serializers: { [types.TEXT]: (it) => `<${it}>` } },
];

test.each(options)('a repeated statement returns the same as PGlite’s own query, with %j', async (option) => {
  const values = [
    'written',
    7,
    9007199254740993n,
    true,
    { a: [1, null, 'ß'] },
    new Date('2026-02-03T04:05:06.789Z'),
    '2026-02-03',
    new Uint8Array([0, 1, 255, 39]),
    ['a', 'b"c', 'd,e'],
    [1, 2, 3],
    '12.50',
    'c0ffee00-0000-4000-8000-000000000000',
  ];
  const none = ['nothing', ...Array.from({ length: 11 }, () => null)];
  const calls: [text: string, values: unknown[]][] = [
    ['insert into things values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *', values],
    ['insert into things values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *', none],
    ['select *, id as id, n + $1 as more, 1 as "?column?" from things order by id', [5]],
    ['select * from things where id = any($1) and ok is not distinct from $2', [['written', 'one'], true]],
    ['select * from things where id = $1', ['no such thing']],
    ['update things set n = $1 where n is not null', [3]],
    ['delete from things where id <> $1', ['one']],
    ['insert into things (id) values ($1) on conflict do nothing', ['one']],
    ['with made as (insert into things (id) values ($1) returning id) select id from made', ['made']],
    ['select count(*) from things where n > $1', [0]],
    ['select $1::text as a, $1::text as a', ['same name twice']],
  ];
  async function answers(query: PGlite['query']) {
    const all = [];
    await lite.exec('begin');
    for (const [text, given] of calls) all.push(await query(text, given, option));
    await lite.exec('rollback');
    return all;
  }
  const expected = await answers(plain);
  for (let round = 0; round < 8; round++) expect(await answers((...args) => lite.query(...args))).toEqual(expected);
  for (let round = 0; round < 2; round++) {
    await lite.transaction(async (tx) => {
      for (const [i, [text, given]] of calls.entries())
        expect(await tx.query(text, given, option)).toEqual(expected[i]);
      await tx.rollback();
    });
  }
});

test('a repeated statement with parameters is parsed only once, inside and outside transactions', async () => {
  const text = 'select n from things where id = $1';
  for (let i = 0; i < 3; i++) {
    await lite.query(text, ['one']);
    await lite.transaction((tx) => tx.query(text, ['two']));
  }
  expect(await prepared()).toEqual([{ statement: text, runs: 6 }]);
});

test('does not prepare statements without parameters, or with parameter types from the caller', async () => {
  await lite.query('select 1 as one');
  await lite.query('select 1 as one', []);
  await lite.exec('select 1; select 2');
  await lite.transaction(async (tx) => {
    await tx.query('savepoint here', []);
    await tx.query('release savepoint here');
  });
  expect((await lite.query('select $1 as it', [4], { paramTypes: [types.INT4] })).rows).toEqual([{ it: 4 }]);
  expect(await prepared()).toEqual([]);
});

test('prepares at most `mostStatements` statements; the others still work', async () => {
  const few = await openInMemory();
  onTestFinished(() => few.close());
  prepareStatements(few, { mostStatements: 5 });
  const plus = async (i: number, n: number) =>
    expect((await few.query(`select $1::int + ${i} as sum`, [n])).rows).toEqual([{ sum: i + n }]);
  for (let i = 0; i < 8; i++) await plus(i, 1);
  for (let i = 0; i < 8; i++) await plus(i, 2);
  expect((await few.query('select name from pg_prepared_statements')).rows).toHaveLength(5);
});

test('replaces a plan made for a small table after the table has grown', async () => {
  const growing = await openInMemory();
  onTestFinished(() => growing.close());
  prepareStatements(growing, { renewAfter: 50 });
  await growing.exec(`create table growing (id text); insert into growing values ('0');
    create unique index growing_id on growing (id)`);
  const scans = async () => {
    for (let i = 0; i < 20; i++) await growing.query('select id from growing where id = $1', ['0']);
    await growing.exec('select pg_stat_force_next_flush()');
    const { rows } = await growing.query<{ all: number; index: number }>(`select seq_scan::int as all,
      idx_scan::int as index from pg_stat_user_tables where relname = 'growing'`);
    return rows[0]!;
  };
  const small = await scans();
  expect(small.index).toBe(0);
  await growing.exec('insert into growing select n::text from generate_series(1, 20000) n');
  for (let i = 0; i < 50; i++) await growing.query('select $1::int', [i]);
  const grown = await scans();
  expect(grown).toEqual({ all: small.all, index: 20 });
});

const failing: [what: string, text: string, values: unknown[]][] = [
  ['a unique key', 'insert into things (id) values ($1)', ['one']],
  ['a foreign key', 'insert into parts values ($1, $2)', ['part', 'no thing']],
  ['a missing value', 'insert into parts values ($1, $2)', ['part', null]],
  ['bad input', 'select * from things where n = $1', ['many']],
  ['bad input refused before it is sent', 'select * from things where ok = $1', ['perhaps']],
  ['failing when it runs', 'select 1 / $1::int as it', [0]],
  ['a missing table', 'select * from nowhere where id = $1', ['one']],
  ['nonsense', 'selekt $1', ['one']],
  ['two statements', 'select $1::int; select 2', [1]],
  ['too few values', 'select $1::int, $2::int', [1]],
];

test.each(failing)('%s: throws the same error as stock PGlite, and later queries work', async (_, text, values) => {
  const facts = async (run: Promise<unknown>) => {
    const error = await run.then(
      () => expect.unreachable(),
      (it: unknown) => it,
    );
    const { name, message, code, constraint, detail, table, query, params } = error as Record<string, unknown>;
    const words = String(message).replace(/statement "\w*"/, 'statement');
    return { type: (error as Error).constructor, name, words, code, constraint, detail, table, query, params };
  };
  const works = async () => expect((await lite.query('select $1::int as it', [1])).rows).toEqual([{ it: 1 }]);
  const expected = await facts(plain(text, values));
  for (let i = 0; i < 3; i++) {
    expect(await facts(lite.query(text, values))).toEqual(expected);
    await works();
  }
  for (let i = 0; i < 2; i++) {
    await lite.transaction(async (tx) => {
      await tx.query('insert into things (id) values ($1)', ['undone']);
      await tx.query('savepoint here');
      expect(await facts(tx.query(text, values))).toEqual(expected);
      if (expected.code) expect(await facts(tx.query(`select $1::int as again`, [1]))).toMatchObject({ code: '25P02' });
      await tx.query('rollback to savepoint here');
      expect((await tx.query('select $1::int as again', [1])).rows).toEqual([{ again: 1 }]);
      await tx.rollback();
    });
    await expect(lite.transaction((tx) => tx.query(text, values))).rejects.toThrow();
    await works();
  }
  expect((await lite.query('select id from things where id <> $1', [''])).rows).toEqual([{ id: 'one' }, { id: 'two' }]);
});

test('a statement prepared in a transaction still works after that transaction is rolled back', async () => {
  const text = 'insert into things (id) values ($1) returning id';
  for (let i = 0; i < 2; i++) {
    await lite.transaction(async (tx) => {
      expect((await tx.query(text, ['new'])).rows).toEqual([{ id: 'new' }]);
      await tx.rollback();
    });
  }
  expect((await lite.query(text, ['new'])).rows).toEqual([{ id: 'new' }]);
});

test('after a column change, a statement is prepared again; the first transaction that uses it fails', async () => {
  const text = 'select * from parts where id = $1';
  await lite.exec(`insert into parts values ('p', 'one')`);
  const run = async () => (await lite.query(text, ['p'])).rows;
  expect(await run()).toEqual([{ id: 'p', thing: 'one' }]);
  await lite.exec('alter table parts add column n int default 5');
  expect(await run()).toEqual([{ id: 'p', thing: 'one', n: 5 }]);
  await lite.exec('alter table parts drop column n');
  const inTransaction = () => lite.transaction(async (tx) => (await tx.query(text, ['p'])).rows);
  await expect(inTransaction()).rejects.toThrow('cached plan must not change result type');
  expect(await inTransaction()).toEqual([{ id: 'p', thing: 'one' }]);
  await lite.exec('deallocate all');
  expect(await run()).toEqual([{ id: 'p', thing: 'one' }]);
  await lite.exec('drop table parts');
  await expect(run()).rejects.toMatchObject({ code: '42P01' });
  await lite.exec('create table parts (id text, other bool)');
  expect(await run()).toEqual([]);
});

test('every run of a prepared statement delivers its notices and notifications', async () => {
  await lite.exec(`create function shout(word text) returns text language plpgsql as
    $$ begin raise notice 'heard %', word; perform pg_notify('words', word); return word; end $$`);
  const noticed: unknown[] = [];
  const notified: string[] = [];
  await lite.listen('words', (word) => notified.push(word));
  for (const word of ['a', 'b', 'c'])
    await lite.query('select shout($1)', [word], { onNotice: (notice) => noticed.push(notice.message) });
  expect(noticed).toEqual(['heard a', 'heard b', 'heard c']);
  await vi.waitFor(() => expect(notified).toEqual(['a', 'b', 'c']), { timeout: 30_000 });
});

test('concurrent transactions and queries share statements without affecting each other', async () => {
  const add = 'update things set n = n + $1 where id = $2 returning n';
  await Promise.all(
    Array.from({ length: 60 }, async (_, i) => {
      if (i % 3 === 0) return lite.query(add, [1, 'one']);
      const work = lite.transaction(async (tx) => {
        const [a, b] = await Promise.all([
          tx.query<{ n: number }>(add, [1, 'one']),
          tx.query<{ n: number }>(add, [1, 'two']),
        ]);
        expect(a.rows).toHaveLength(1);
        expect(b.rows).toHaveLength(1);
        if (i % 3 === 2) await tx.query('insert into things (id) values ($1)', ['one']);
      });
      return i % 3 === 2 ? expect(work).rejects.toMatchObject({ code: '23505' }) : work;
    }),
  );
  expect((await lite.query('select n from things where n > $1 order by id', [0])).rows).toEqual([{ n: 41 }, { n: 22 }]);
});

test('the embedded database uses prepared statements and still refuses db inside a transaction', async () => {
  const served = await openInMemory();
  const own = served.query.bind(served);
  const database = await serveEmbedded(served, { migrationsFolder, isLeftAsItIs: true, withJobs: false });
  onTestFinished(() => database.close());
  const { db } = database;
  const select = (word: string) => sql`select ${word}::text as word`;
  for (const word of ['a', 'b', 'c']) {
    expect((await db.execute(select(word))).rows).toEqual([{ word }]);
    await db.transaction(async (tx) => expect((await tx.execute(select(word))).rows).toEqual([{ word }]));
    await expect(db.transaction(() => db.execute(select(word)))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('used inside a transaction') as string },
    });
  }
  const { rows } = await own('select (generic_plans + custom_plans)::int as runs from pg_prepared_statements');
  expect(rows).toEqual([{ runs: 6 }]);
});
