import { sql } from 'drizzle-orm';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase, type Database } from '#adapters/database/database.ts';
import { migrationsFolder } from '#server/project-folder.ts';
import { createDatabase, describeOnEachEngine, describeOnPostgres } from '#test/database.ts';
import { createMigrationsUpTo } from '#test/migrations.ts';
import { doWithAuditEntry, owner, recordAuditEntry } from './audit.ts';
import { checkAuditChain } from './chain.ts';

const clock = { now: () => new Date() };
const addAct = (db: Database['db'], n: number) =>
  recordAuditEntry(db, clock, {
    act: 'edit-order',
    subjectId: `order-${n}`,
    before: { n, notes: null },
    after: { n: n + 1 },
  });
async function addActs(db: Database['db'], count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await addAct(db, n);
}
const findBreaks = async (db: Database['db']) =>
  (await checkAuditChain(db)).breaks.map(({ what, place, act: name }) => [what, place, name]);

describeOnEachEngine((fresh, engine) => {
  test('reports no breaks for an untouched trail, and a last hash that changes with each audit entry', async () => {
    const { db } = await fresh();
    expect(await checkAuditChain(db)).toEqual({ rows: 0, lastHash: '', breaks: [] });
    await addActs(db, 5);
    const { rows, lastHash, breaks } = await checkAuditChain(db);
    expect([rows, breaks]).toEqual([5, []]);
    expect(lastHash).toMatch(/^[0-9a-f]{64}$/);
    await addAct(db, 6);
    expect((await checkAuditChain(db)).lastHash).not.toBe(lastHash);
  });

  test.each([
    ['the words of an act', sql`update audit_trail set after = '{"n": 9}' where place = 3`],
    ['what it was about', sql`update audit_trail set subject_id = null where place = 3`],
    ['when it was', sql`update audit_trail set at = at + interval '1 millisecond' where place = 3`],
    ['who did it', sql`update audit_trail set person_name = 'Kim' where place = 3`],
    ['which request it was', sql`update audit_trail set request_id = 'r' where place = 3`],
    ['hash', sql`update audit_trail set hash = repeat('0', 64) where place = 3`],
  ])('reports an audit entry that was changed: %s', async (_what, change) => {
    const { db } = await fresh();
    await addActs(db, 5);
    await db.execute(change);
    expect(await findBreaks(db)).toContainEqual(['changed', 3, 'edit-order']);
  });

  test.each([
    ['another name', sql`update audit_trail set person_name = 'Kim' where place = 3`],
    ['another role', sql`update audit_trail set person_role = 'owner' where place = 3`],
    ['no person', sql`update audit_trail set person_id = null, person_name = null, person_role = null where place = 3`],
  ])('reports an audit entry whose person was changed: %s', async (_what, change) => {
    const { db } = await fresh();
    const person = { id: 'a', name: 'Sam', role: 'support' } as const;
    for (let n = 1; n <= 5; n++) await recordAuditEntry(db, clock, { act: 'edit-order', person });
    expect((await checkAuditChain(db)).breaks).toEqual([]);
    await db.execute(change);
    expect(await findBreaks(db)).toContainEqual(['changed', 3, 'edit-order']);
  });

  test('audit entries from before people were recorded stay valid, and new entries continue their chain', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'kinframe-chain-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const options =
      engine === 'postgres' ? { url: (await createDatabase({ isEmpty: true })).href, dataDir: '' } : { dataDir };
    const openRelease = (release: string) => openDatabase({ ...options, migrationsFolder: release, withJobs: false });
    const databaseBefore = await openRelease(createMigrationsUpTo('0065_returns'));
    // The release before writes rows without a person.
    const writeAct = ({ db }: Database, n: number) =>
      db.execute(sql`insert into audit_trail (id, act, subject_id, before, after, request_id, at)
        values (${`old-${n}`}, 'edit-order', 'order', ${JSON.stringify({ n })}::jsonb, null, 'request', now())`);
    for (let n = 1; n <= 3; n++) await writeAct(databaseBefore, n);
    await databaseBefore.close();
    const databaseAfter = await openRelease(migrationsFolder);
    onTestFinished(() => databaseAfter.close());
    expect(await checkAuditChain(databaseAfter.db)).toMatchObject({ rows: 3, breaks: [] });
    await recordAuditEntry(databaseAfter.db, clock, { act: 'edit-order', person: owner });
    await writeAct(databaseAfter, 4); // a process of the earlier release that still runs
    expect(await checkAuditChain(databaseAfter.db)).toMatchObject({ rows: 5, breaks: [] });
    await databaseAfter.db.execute(sql`update audit_trail set person_name = 'Kim' where id = 'old-2'`);
    expect(await findBreaks(databaseAfter.db)).toContainEqual(['changed', 2, 'edit-order']);
  });

  test('reports removed audit entries: the first, one in between, the last or all of them', async () => {
    const { db } = await fresh();
    await addActs(db, 6);
    await db.execute(sql`delete from audit_trail where place = 3`);
    expect(await findBreaks(db)).toEqual([['missing', 3, null]]);
    await db.execute(sql`delete from audit_trail where place in (1, 6)`);
    expect(await findBreaks(db)).toEqual([
      ['missing', 1, null],
      ['missing', 3, null],
      ['missing', 6, null],
    ]);
    await db.execute(sql`delete from audit_trail`);
    expect(await findBreaks(db)).toEqual([['missing', 1, null]]);
    await addAct(db, 7); // the new entry continues at the stored end of the chain, so the gap stays visible
    expect(await findBreaks(db)).toEqual([['missing', 1, null]]);
  });

  test('reports audit entries that were inserted without the trigger, and a changed end of the chain', async () => {
    const { db } = await fresh();
    await addActs(db, 3);
    await db.execute(sql`alter table audit_trail disable trigger user`);
    await addAct(db, 4);
    await db.execute(sql`alter table audit_trail enable trigger user`);
    expect(await findBreaks(db)).toEqual([['not-sealed', null, 'edit-order']]);
    await db.execute(sql`delete from audit_trail where place is null`);
    await db.execute(sql`update audit_chain set last_place = 2`);
    expect(await findBreaks(db)).toEqual([['end', 3, null]]);
    await db.execute(sql`delete from audit_chain`);
    expect((await findBreaks(db)).map(([what]) => what)).toContain('end');
  });

  test('reports a changed last audit entry, even if its hash was computed again', async () => {
    const { db } = await fresh();
    await addActs(db, 3);
    await db.execute(sql`update audit_trail set act = 'nothing' where place = 3`);
    expect(await findBreaks(db)).toEqual([['changed', 3, 'nothing']]);
    await db.execute(sql`update audit_trail it set hash = audit_hash(
      (select hash from audit_trail where place = 2), it) where place = 3`);
    expect(await findBreaks(db)).toEqual([['end', 3, null]]);
  });

  test('an audit entry of a transaction that is rolled back leaves no gap', async () => {
    const { db } = await fresh();
    await addAct(db, 1);
    const failingAct = doWithAuditEntry(
      { db, clock },
      async () => 'done',
      () => {
        throw new Error('no');
      },
    );
    await expect(failingAct).rejects.toThrow('no');
    const rolledBack = db.transaction(async (tx) => {
      await addAct(tx, 2);
      throw new Error('too late');
    });
    await expect(rolledBack).rejects.toThrow('too late');
    await addAct(db, 3);
    expect(await checkAuditChain(db)).toMatchObject({ rows: 2, breaks: [] });
  });

  test('reports no break after old audit entries are deleted if the anchor has the last deleted place and hash', async () => {
    const { db } = await fresh();
    await addActs(db, 6);
    await db.execute(sql`update audit_chain set anchor_place = 4,
      anchor_hash = (select hash from audit_trail where place = 4)`);
    await db.execute(sql`delete from audit_trail where place <= 4`);
    expect(await checkAuditChain(db)).toMatchObject({ rows: 2, breaks: [] });
    await addAct(db, 7);
    expect(await checkAuditChain(db)).toMatchObject({ rows: 3, breaks: [] });
    await db.execute(sql`delete from audit_trail where place = 5`);
    expect(await findBreaks(db)).toEqual([['missing', 5, null]]);
    await db.execute(sql`update audit_chain set anchor_place = 5`); // the hash of place 5 is missing
    expect(await findBreaks(db)).toEqual([['changed', 6, 'edit-order']]);
  });
});

describeOnPostgres((fresh) => {
  test('100 audit entries that are recorded at the same time form one chain', async () => {
    const { db } = await fresh();
    await Promise.all(Array.from({ length: 100 }, (_, n) => addAct(db, n)));
    expect(await checkAuditChain(db)).toMatchObject({ rows: 100, breaks: [] });
  });

  test('simultaneous audit entries do not deadlock with transactions that lock other rows before or after them', async () => {
    const { db } = await fresh();
    await db.execute(sql`create table held (n int primary key, count int not null default 0)`);
    await db.execute(sql`insert into held select generate_series(0, 4)`);
    const runMixedAct = (n: number) =>
      db.transaction(async (tx) => {
        if (n % 2 === 0) await addAct(tx, n);
        await tx.execute(sql`update held set count = count + 1 where n = ${n % 5}`);
        if (n % 2 === 1) await addAct(tx, n);
      });
    await Promise.all(Array.from({ length: 100 }, (_, n) => runMixedAct(n)));
    expect(await checkAuditChain(db)).toMatchObject({ rows: 100, breaks: [] });
  });
});
